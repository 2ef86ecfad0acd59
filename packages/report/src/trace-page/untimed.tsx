/** Says that there are no times, and why. */
export function Untimed() {
  return (
    <p class="callout">
      Of microtasks in pages, only numbers are known here: the run that tells them apart is so much
      slower that its times say nothing. Times are in the view of macrotasks.
    </p>
  );
}
