import type { Deployable } from '@parley/contracts';
import type { z } from 'zod';
import type { Blobs } from '../ports/blobs/index.ts';
import { ConfigError, readConfig } from '../base/config/index.ts';
import { Lifecycle } from './lifecycle/index.ts';
import type { Mailer } from '../ports/mailer/index.ts';
import { createLogger } from '../base/logging/index.ts';
import type { Peers } from '../edge/peers/index.ts';
import { openReporter } from './reporting/index.ts';
import type { Platform, RunningService } from '../edge/service/platform.ts';
import { Health, startManagement } from '../base/telemetry/index.ts';
import { PromMetrics } from '../base/telemetry/prometheus/prom-metrics.ts';
import { DistributedPlatform } from './distributed-platform.ts';
import { endOnSignals } from './process-end.ts';
import { keyFault, type ProcessConfig } from './process-config.ts';

/** Limits how long the end of a process waits for a receiver of reports. */
const lastReportsMs = 2_000;

/** The settings and parts of a process. */
export type DeployableProcess = {
  readonly deployable: Deployable;
  /** The process's name in logs and for brokers; missing: the deployable's name. */
  readonly name?: string;
  readonly sealingKey?: Buffer;
  /** Opens the store of large content, if the deployable has one. */
  openBlobs?(): Promise<Blobs>;
  /** Opens the mailer, if the deployable sends emails. */
  openMailer?(): Promise<Mailer>;
  start(platform: Platform): Promise<RunningService>;
};

/**
 * Runs a process of the distributed edition from its settings to its end.
 *
 * - Invalid settings: names all of them on standard error, exit 1.
 * - SIGTERM or SIGINT: the process is unready immediately; after a moment it refuses new work, drains, closes and exits
 *   with 0 within `PARLEY_SHUTDOWN_MS`. A second signal ends it immediately.
 * - An uncaught error, or a consumer that has ended for good: the error is logged and reported, and the process exits
 *   with 1, so that a new one takes over.
 */
export async function runDeployable<Config extends ProcessConfig>(
  schema: z.ZodType<Config>,
  decide: (config: Config) => DeployableProcess,
): Promise<void> {
  const { config, wanted } = configOrExit(schema, decide);
  const { deployable, name = deployable, sealingKey, openBlobs, openMailer, start } = wanted;
  const logger = createLogger({ name, level: config.PARLEY_LOG_LEVEL });
  const peers = Promise.withResolvers<Peers>();
  const reporter = openReporter(config.PARLEY_SENTRY_DSN, { logger, peers: peers.promise });
  const health = new Health();
  const metrics = new PromMetrics();
  const unreadyMs = Math.min(config.PARLEY_UNREADY_MS, config.PARLEY_SHUTDOWN_MS / 2);
  const lifecycle = new Lifecycle(logger, config.PARLEY_SHUTDOWN_MS - unreadyMs);
  lifecycle.add('close', 'reports', () => reporter.close(lastReportsMs));
  const report = (error: unknown) => reporter.report(error, { deployable, during: 'process' });
  const end = endOnSignals({ lifecycle, health, logger, report, unreadyMs, deadlineMs: config.PARLEY_SHUTDOWN_MS });
  try {
    const management = await startManagement({
      listen: { host: config.PARLEY_HOST, port: config.PARLEY_MANAGEMENT_PORT },
      health,
      metrics,
    });
    const onCrash = (error: Error) => {
      logger.fatal({ err: error }, 'a consumer has ended for good');
      report(error);
      end(1);
    };
    const platform = await DistributedPlatform.open({
      deployable,
      name,
      config,
      logger,
      health,
      metrics,
      reporter,
      sealingKey: sealingKey ?? null,
      openBlobs: openBlobs ?? null,
      mailer: (await openMailer?.()) ?? null,
      onCrash,
    });
    peers.resolve(platform.peers);
    lifecycle.add('close', 'shared parts', () => platform.close());
    health.started();
    const service = await start(platform);
    lifecycle.add('drain', name, () => service.close());
    health.serving();
    logger.info({ url: service.url, managementPort: management.port }, 'ready');
  } catch (error) {
    logger.fatal({ err: error }, 'the start failed');
    end(1);
  }
}

function configOrExit<Config extends ProcessConfig>(
  schema: z.ZodType<Config>,
  decide: (config: Config) => DeployableProcess,
): { config: Config; wanted: DeployableProcess } {
  try {
    const config = readConfig(schema);
    const wanted = decide(config);
    const fault = keyFault(config, wanted.deployable);
    if (fault) throw new ConfigError([fault]);
    return { config, wanted };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
