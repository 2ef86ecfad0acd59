/** The part of jstat that is used; the package has no types. */
declare module "jstat" {
  interface StudentT {
    /** Probability of at most `x` with `degrees` degrees of freedom. */
    cdf(x: number, degrees: number): number;
    /** What is not exceeded with that probability. */
    inv(probability: number, degrees: number): number;
  }
  const jstat: { jStat: { studentt: StudentT } };
  export default jstat;
}
