import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { rowOf, type Budgets, type Measured, type Metric } from './budgets.ts';

/** What a run has measured so far, told as it comes and as a table at the end. */
export class Report {
  private readonly measured: Measured[] = [];

  constructor(private readonly budgets: Budgets) {}

  add(metric: Metric, value: number, floor: number | null = null): void {
    this.measured.push({ metric, value, floor });
    this.say(`${metric}: ${value.toFixed(2)}${floor === null ? '' : `, floor ${floor.toFixed(2)}`}`);
  }

  /** Beside the table: it belongs to the run, not to its result. */
  say(line: string): void {
    process.stderr.write(`${line}\n`);
  }

  print(): void {
    const rows = this.measured.map((measured) => rowOf(measured, this.budgets));
    const header = ['metric', 'value', 'floor', 'ratio', 'budget', 'here', '', 'Open WebUI', 'LibreChat'];
    const widths = header.map((title, column) =>
      Math.max(title.length, ...rows.map(({ cells }) => (cells[column] ?? '').length)),
    );
    const line = (cells: readonly string[]) =>
      `${cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`;
    process.stdout.write(`${line(header)}${rows.map(({ cells }) => line(cells)).join('')}`);
    const count = (verdict: boolean) => rows.filter(({ isKept }) => isKept === verdict).length;
    process.stdout.write(
      `\n${count(true)} budgets kept, ${count(false)} missed; ${cpus().length} cores, load and server on the same ones\n`,
    );
  }

  /** As the latest result, into this folder. */
  write(file: string): void {
    const report = { at: new Date().toISOString(), cores: cpus().length, measured: this.measured };
    writeFileSync(join(import.meta.dirname, file), `${JSON.stringify(report, null, 2)}\n`);
  }
}
