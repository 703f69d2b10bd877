import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { startGuarded, tailOf, type GuardedProcess } from './guarded-process.ts';

/** A real server that a test has started. It ends with the test's process at the latest. */
export type TestServer = {
  readonly url: string;
  readonly version: string;
  /** Another one after each restart. */
  readonly pid: number;
  /** kill -9. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

/** Why a server cannot run here. */
export type Skipped = { readonly skipped: string };

export type ServerProgram = {
  readonly name: string;
  readonly version: string;
  readonly url: (port: number) => string;
  readonly command: (port: number, folder: string) => readonly string[];
  /** Throws or gives false while it does not serve yet. */
  readonly isServing: (port: number) => Promise<boolean>;
};

const startMs = 60_000;
const triesForAPort = 3;

/** Starts a server on a free port with a temporary folder for its data and waits until it serves. */
export async function startServer(program: ServerProgram): Promise<TestServer> {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    const folder = await mkdtemp(join(tmpdir(), `parley-${program.name}-`));
    try {
      return serverAt(program, { port, folder, running: await run(program, port, folder) });
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      if (tries === triesForAPort) throw error;
    }
  }
}

function serverAt(
  program: ServerProgram,
  started: { port: number; folder: string; running: GuardedProcess },
): TestServer {
  const { port, folder } = started;
  let { running } = started;
  return {
    url: program.url(port),
    version: program.version,
    get pid() {
      return running.pid;
    },
    kill: () => running.kill(),
    async restart() {
      await running.kill();
      running = await run(program, port, folder);
    },
    async close() {
      await running.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function run(program: ServerProgram, port: number, folder: string): Promise<GuardedProcess> {
  const running = await startGuarded(program.command(port, folder), join(folder, 'server.log'));
  const deadline = Date.now() + startMs;
  while (!(await program.isServing(port).catch(() => false))) {
    if (running.hasExited() || Date.now() > deadline) {
      await running.kill();
      throw new Error(`${program.name} does not serve: ${await tailOf(running.log)}`);
    }
    await wait(50);
  }
  return running;
}
