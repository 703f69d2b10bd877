import { startAuth, type PublicAddress } from '@parley/auth';
import { rateTable, startBff, type BffSettings } from '@parley/bff';
import { startBilling } from '@parley/billing';
import { chatSettings, startChat } from '@parley/chat';
import { getRegistration, getSlotsOfOnly, type AnswerSlots, type Service } from '@parley/contracts';
import { monitoringSettings, startMonitoring } from '@parley/monitoring';
import { orgSettings, startOrg } from '@parley/org';
import { randomSecret } from '@parley/platform/crypto';
import { Lifecycle } from '@parley/platform/lifecycle';
import { openReporter } from '@parley/platform/reporter';
import type { Platform, RunningService } from '@parley/platform/service';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EmbeddedPlatform, type PlatformOptions } from './embedded-platform.ts';
import { bindRefusal, type EmbeddedConfig } from './embedded-settings.ts';
import { StartRefused } from './data-folder.ts';

export type EmbeddedOptions = PlatformOptions & {
  readonly config: EmbeddedConfig;
  /** Worker roles; more than one only in tests that let them compete. */
  readonly workers?: number;
  /** When a silent provider counts as stalled; 60 s unless a test has no time. */
  readonly stallMs?: number;
  /** Where model servers are looked for; a test has its own there. */
  readonly modelServerPorts?: typeof modelServerPorts;
};
export type RunningParley = {
  readonly url: string;
  /** Registers the first platform admin; null once there is one. */
  readonly setupUrl: string | null;
  /** The slots of answers where there is only one organisation, whose people may want more of them; else null. */
  readonly slotsOfOnly: AnswerSlots | null;
  /** Behind the door, for tests: the services' own addresses and the store. */
  readonly internals: { readonly services: Readonly<Record<Service, string>>; storeUri(database: string): string };
  /** The process fails: the operator is told before it ends. */
  reportCrash(error: unknown): void;
  /** Graceful: answers in the making are handed to the next start, then everything closes. */
  close(): Promise<void>;
};

/** How long the end waits for a receiver of reports. */
const lastReportsMs = 2_000;
const modelServerPorts = { ollama: 11_434, 'lm-studio': 1_234, vllm: 8_000, 'llama-cpp': 8_080 };

/** The one-process edition: five services and the BFF on loopback ports of their own, over one store. */
export async function startEmbedded(options: EmbeddedOptions): Promise<RunningParley> {
  const { config, logger } = options;
  const refusal = bindRefusal(config);
  if (refusal) throw new StartRefused(refusal);
  const peers = Promise.withResolvers<Platform['peers']>();
  const reporter = openReporter(config.PARLEY_SENTRY_DSN, { logger, peers: peers.promise });
  const shared = await EmbeddedPlatform.open({ ...options, reporter, mail: config });
  peers.resolve(shared.of('bff').peers);
  const lifecycle = new Lifecycle(logger);
  lifecycle.add('close', 'reports', () => reporter.close(lastReportsMs));
  lifecycle.add('close', 'shared parts', () => shared.close());
  const setupToken = randomSecret();
  const address = Promise.withResolvers<string>();
  address.promise.catch(() => undefined);
  try {
    const services = await startServices(shared, options, { setupToken, address: { url: () => address.promise } });
    for (const [name, service] of Object.entries(services)) lifecycle.add('drain', name, () => service.close());
    await shared.revocations.start();
    const bffPlatform = shared.of('bff', { host: config.PARLEY_HOST, port: config.PARLEY_PORT });
    const bff = await startBff(bffPlatform, bffSettings(config));
    lifecycle.add('stop', 'bff', () => bff.close());
    const urls = Object.fromEntries(Object.entries(services).map(([name, { url }]) => [name, url]));
    const publicUrl = config.PARLEY_PUBLIC_URL?.replace(/\/$/, '') ?? shownUrl(bff.url);
    address.resolve(publicUrl);
    return {
      url: publicUrl,
      internals: { services: urls as Record<Service, string>, storeUri: (database) => shared.store.uri(database) },
      setupUrl: (await isSetupPending(bffPlatform)) ? `${publicUrl}/en/register?setup=${setupToken}` : null,
      slotsOfOnly: await slotsOfOnly(bffPlatform),
      reportCrash: (error) => reporter.report(error, { deployable: 'embedded', during: 'process' }),
      close: () => lifecycle.shutdown(),
    };
  } catch (error) {
    address.reject(error);
    await lifecycle.shutdown();
    throw error;
  }
}

/** All at the same time: one that calls another before it listens waits for it within the call's deadline. */
async function startServices(
  shared: EmbeddedPlatform,
  options: EmbeddedOptions,
  { setupToken, address }: { readonly setupToken: string; readonly address: PublicAddress },
): Promise<Readonly<Record<Service, RunningService>>> {
  const { PARLEY_REGISTRATION: registration, PARLEY_REGISTRATIONS_PER_HOUR: registrationsPerHour } = options.config;
  const chatWith = embeddedChatSettings(options);
  const [auth, org, chat, billing, monitoring] = await Promise.all([
    shared.start('auth', (platform) =>
      startAuth(platform, { registration, registrationsPerHour, setupToken }, address),
    ),
    shared.start('org', (platform) => startOrg(platform, orgSettings(options.config))),
    shared.start('chat', (platform) => startChat(platform, chatWith)),
    shared.start('billing', startBilling),
    shared.start('monitoring', (platform) => startMonitoring(platform, monitoringSettings(options.config))),
  ]);
  return { auth, org, chat, billing, monitoring };
}

function embeddedChatSettings(options: EmbeddedOptions): ReturnType<typeof chatSettings> {
  return chatSettings(options.config, {
    workers: options.workers,
    stallMs: options.stallMs,
    modelServerPorts: options.modelServerPorts ?? modelServerPorts,
  });
}

function bffSettings(config: EmbeddedConfig): BffSettings {
  const { PARLEY_TLS_CERT: cert, PARLEY_TLS_KEY: key } = config;
  return {
    frontendFolder: `${dirname(fileURLToPath(import.meta.resolve('@parley/frontend/package.json')))}/dist`,
    publicUrl: config.PARLEY_PUBLIC_URL ?? null,
    tls: cert === undefined || key === undefined ? null : { cert: readFileSync(cert), key: readFileSync(key) },
    isInsecureHttp: config.PARLEY_INSECURE_HTTP,
    trustedProxies: config.PARLEY_TRUSTED_PROXY,
    rates: rateTable(config.PARLEY_RATE_LIMITS),
    sentryDsn: config.PARLEY_SENTRY_DSN ?? null,
  };
}

/** What a person types: loopback by its name, which browsers treat as secure. */
const shownUrl = (url: string): string =>
  url.replace('//127.0.0.1:', '//localhost:').replace('//0.0.0.0:', '//localhost:');

async function isSetupPending({ peers }: Platform): Promise<boolean> {
  const { setupPending } = await peers.call(getRegistration, {}, { deadlineMs: 5_000, failMode: 'refuse' });
  return setupPending;
}

/** Null also where nobody tells: it is worth no failed start. */
function slotsOfOnly({ peers }: Platform): Promise<AnswerSlots | null> {
  const asked = peers.call(getSlotsOfOnly, {}, { deadlineMs: 5_000, failMode: 'refuse' });
  return asked.then(({ slots }) => slots).catch(() => null);
}
