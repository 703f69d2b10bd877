import { execFileSync, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hookOf } from '../accept-kill/mutants.ts';
import { root } from '../accept-kill/product.ts';

/** Each database's migration says this while it waits for the lease. */
const waiting = 'waits for the lease';
const endsWithinMs = 240_000;

/** The code of an earlier release, checked out of this repository and built. */
export class OlderRelease {
  private constructor(private readonly folder: string) {}

  /** Throws where the repository has no such commit, or its packages can't be installed. */
  static checkOut(commit: string, folder: string): OlderRelease {
    const run = (command: string, ...args: string[]) =>
      execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    execFileSync('git', ['clone', '-q', '--no-checkout', root, folder]);
    run('git', 'checkout', '-q', commit);
    run('npm', 'ci', '--no-audit', '--no-fund');
    run('npm', 'run', '-s', 'build');
    return new OlderRelease(folder);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /**
   * Runs a command of `parley` until it ends or prints the expected text, and resolves with its output. After four minutes
   * it rejects with the output so far.
   */
  run(
    args: readonly string[],
    { settings = {}, until }: { readonly settings?: Record<string, string>; readonly until?: RegExp } = {},
  ): Promise<{ readonly code: number | null; readonly output: string }> {
    const cli = join(this.folder, 'cli/dist/cli.js');
    const child = spawn(process.execPath, ['--import', this.waitingHook(), cli, ...args], {
      cwd: dirname(cli),
      env: { ...process.env, ...settings },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (until?.test(output)) child.kill('SIGKILL');
      });
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error(`parley ${args.join(' ')} did not end in four minutes. It said: ${output}`));
      }, endsWithinMs);
      child.once('close', (code) => {
        clearTimeout(limit);
        resolve({ code, output });
      });
    });
  }

  /** `parley migrate-schema`: resolves with null where it waits in all five databases, else with what it said. */
  async migrateSchema(mongoUrl: string): Promise<string | null> {
    const until = new RegExp(`(${waiting} of \\w+\\s[^]*){25}`);
    const { code, output } = await this.run(['migrate-schema'], { settings: { PARLEY_MONGO_URL: mongoUrl }, until });
    const databases = new Set(output.match(new RegExp(`${waiting} of \\w+`, 'g')));
    return code === null && databases.size === 5 ? null : `It ended with ${code}: ${output}`;
  }

  private waitingHook(): string {
    const [file, of] = ['packages/platform/dist/schema/schema-migration.js', 'await sleep(pollMs);'];
    const by = `process.stdout.write(\`${waiting} of \${this.mongo.connection.name}\\n\`); ${of}`;
    return hookOf([{ file, of, by }], this.folder);
  }
}
