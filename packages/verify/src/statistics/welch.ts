// jstat for the t distribution: one package without dependencies. @stdlib/stats-ttest2 has the
// whole test, gives the same figures, and brings 289 packages.
import jstat from "jstat";

import type { Moments } from "./moments.js";

/**
 * Two-sided p of Welch's t-test, which does not take both variances to be the same (paper, section
 * 5.4). `null` where a sample has fewer than two values or no value varies.
 */
export function welchP(a: Moments, b: Moments): number | null {
  if (a.count < 2 || b.count < 2) return null;
  const [partA, partB] = [a.variance / a.count, b.variance / b.count];
  if (partA + partB === 0) return null;
  const t = Math.abs(a.mean - b.mean) / Math.sqrt(partA + partB);
  const degrees = degreesOfFreedom(partA, a.count, partB, b.count);
  return Math.min(1, 2 * jstat.jStat.studentt.cdf(-t, degrees));
}

/** Degrees of freedom of a sum of two squared errors (Welch-Satterthwaite). */
export function degreesOfFreedom(a: number, countA: number, b: number, countB: number): number {
  return (a + b) ** 2 / (a ** 2 / (countA - 1) + b ** 2 / (countB - 1));
}

/** How many standard errors a two-sided 95% interval reaches to each side. */
export function reach95(degrees: number): number {
  return jstat.jStat.studentt.inv(0.975, degrees);
}

/**
 * p values after Benjamini and Hochberg (1995), in the same order: of those under 0.05, 5% are
 * false at most. A test without a p value stays without, and does not count.
 */
export function benjaminiHochberg(values: readonly (number | null)[]): (number | null)[] {
  const ordered = values
    .flatMap((p, index) => (p === null ? [] : [{ p, index }]))
    .sort((a, b) => b.p - a.p);
  const adjusted = values.map((): number | null => null);
  let least = 1;
  for (const [position, { p, index }] of ordered.entries()) {
    least = Math.min(least, (p * ordered.length) / (ordered.length - position));
    adjusted[index] = least;
  }
  return adjusted;
}
