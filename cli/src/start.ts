import { readConfig } from '@parley/platform/config';
import type { Command } from 'commander';
import type { EmbeddedConfig, RunningParley } from '@parley/embedded';
import type { Failpoint } from '@parley/platform/service';
import { readdirSync, rmSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import type { Management } from './management.ts';

const keepLogsDays = 30;

type StartFlags = {
  port?: string;
  host?: string;
  data?: string;
  publicUrl?: string;
  trustedProxy?: string;
  tlsCert?: string;
  tlsKey?: string;
  insecureHttp?: true;
  registration?: string;
  managementPort?: string;
};
const variables: Record<keyof StartFlags, string> = {
  port: 'PARLEY_PORT',
  host: 'PARLEY_HOST',
  data: 'PARLEY_DATA',
  publicUrl: 'PARLEY_PUBLIC_URL',
  trustedProxy: 'PARLEY_TRUSTED_PROXY',
  tlsCert: 'PARLEY_TLS_CERT',
  tlsKey: 'PARLEY_TLS_KEY',
  insecureHttp: 'PARLEY_INSECURE_HTTP',
  registration: 'PARLEY_REGISTRATION',
  managementPort: 'PARLEY_MANAGEMENT_PORT',
};

/** `parley [start]`: the one-process edition. Every flag is also a variable; the flag wins. */
export function registerStart(program: Command): void {
  program
    .command('start', { isDefault: true })
    .description('start Parley (the default)')
    .option('--port <number>', 'port to listen on (3000; 0 takes any free one)')
    .option('--host <address>', 'address to listen on (127.0.0.1)')
    .option('--data <folder>', 'data folder (./data)')
    .option('--registration <mode>', 'who can register: closed, invitation or open (invitation)')
    .option('--public-url <url>', 'where people reach it, if not by the address above')
    .option('--trusted-proxy <addresses>', 'proxies whose forwarding headers count, separated by commas')
    .option('--tls-cert <file>', 'certificate for https')
    .option('--tls-key <file>', 'key for https')
    .option('--insecure-http', 'listen beyond this machine without TLS: passwords are sent in the clear')
    .option('--management-port <number>', 'port for probes and metrics (none; 0 takes any free one)')
    .action(start);
}

async function start(flags: StartFlags): Promise<void> {
  const { diskNote, embeddedConfig, openDataFolder, startEmbedded } = await import('@parley/embedded');
  const config = readConfig(embeddedConfig, fromFlags(flags));
  const folder = await openDataFolder(resolve(config.PARLEY_DATA));
  const { createLogger, logFile } = await import('@parley/platform/logging');
  const logger = createLogger({
    name: 'parley',
    level: config.PARLEY_LOG_LEVEL,
    destination: logFile(join(folder.logs, `parley-${new Date().toISOString().slice(0, 10)}.log`)),
  });
  forgetOldLogs(folder.logs);
  const management = await managementOf(config);
  const parley = await startEmbedded({
    folder,
    logger,
    config,
    failpoint: failpointOf(config.PARLEY_TEST_FAILPOINT),
    checkResponses: false,
    report: (line) => process.stdout.write(`${line}\n`),
    workers: config.PARLEY_TEST_WORKERS,
    metrics: management?.metrics,
  });
  management?.health.note('disk', diskNote(folder));
  management?.health.serving();
  const close = () => {
    management?.health.draining();
    return parley.close();
  };
  closeOnSignals({ close }, (error, reason) => {
    logger.fatal({ err: error }, reason);
    parley.reportCrash(error);
  });
  const setup = parley.setupUrl === null ? '' : `; register the platform admin at ${parley.setupUrl}`;
  process.stdout.write(`Parley is ready at ${parley.url}${setup}\n`);
  if (parley.slotsOfOnly) {
    const { all, ofFlow, ofPerson } = parley.slotsOfOnly;
    process.stdout.write(
      `Its only organisation can have ${ofFlow} of ${all} answers at the same time, one person ${ofPerson}: PARLEY_SLOTS_OF_A_FLOW, PARLEY_SLOTS_OF_A_PERSON\n`,
    );
  }
  if (management)
    process.stdout.write(
      `Probes and metrics are at port ${management.server.port}: /health/startup, /health/ready, /health/live, /metrics\n`,
    );
  flushCompileCache();
}

/** Loaded only where somebody wants to look. */
async function managementOf({
  PARLEY_HOST: host,
  PARLEY_MANAGEMENT_PORT: port,
}: EmbeddedConfig): Promise<Management | null> {
  if (port === undefined) return null;
  const { openManagement } = await import('./management.ts');
  const management = await openManagement({ host, port });
  management.health.started();
  return management;
}

function fromFlags(flags: StartFlags): Record<string, string> {
  const given = Object.entries(flags) as [keyof StartFlags, string | true][];
  return Object.fromEntries(given.map(([flag, value]) => [variables[flag], String(value)]));
}

/**
 * The kill acceptance stops the process at a named place, `name` or `name:every-nth`; nothing else sets the variable.
 */
function failpointOf(wanted: string | undefined): Failpoint {
  if (wanted === undefined) return async () => {};
  const [name, nth = '1'] = wanted.split(':');
  let passed = 0;
  return async (reached) => {
    if (reached !== name) return;
    passed += 1;
    if (passed >= Number(nth)) process.kill(process.pid, 'SIGKILL');
  };
}

function closeOnSignals(parley: Pick<RunningParley, 'close'>, log: (error: unknown, reason: string) => void): void {
  let isClosing = false;
  const close = (exitCode: number) => {
    if (isClosing) process.exit(1);
    isClosing = true;
    void parley.close().finally(() => process.exit(exitCode));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => close(0));
  for (const fault of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(fault, (error: unknown) => {
      log(error, fault);
      process.stderr.write(`parley: stopped by an unexpected fault; the log in the data folder tells which.\n`);
      close(1);
    });
  }
}

function forgetOldLogs(folder: string): void {
  const oldest = new Date(Date.now() - keepLogsDays * 86_400_000).toISOString().slice(0, 10);
  for (const name of readdirSync(folder))
    if (/^parley-\d{4}-\d{2}-\d{2}\.log$/.test(name) && name.slice(7, 17) < oldest) rmSync(join(folder, name));
}
