type Figure = { readonly took: number; readonly most: number; readonly unit?: string };

/**
 * Prints that a time was missed, and by how much. Fails nothing: times depend on the machine. `.ci/steps` shows the line
 * of a test run as `LATE` (ADR 0044).
 */
export function late(what: string, { took, most, unit = 'ms' }: Figure): void {
  if (took > most) process.stdout.write(`\nLATE    ${what}: ${Math.round(took)} ${unit}, at most ${most} are wanted\n`);
}
