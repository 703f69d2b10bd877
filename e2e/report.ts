/** Prints how long something took. Nobody judges it: it depends on the machine. */
export const report = (what: string, ms: readonly number[]): void =>
  void process.stdout.write(`${what}: ${ms.join(', ')} ms\n`);
