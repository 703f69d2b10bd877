import { startAuth } from '@parley/auth';
import { startBff } from '@parley/bff';
import { startBilling } from '@parley/billing';
import { chatSettings, startChat } from '@parley/chat';
import { getRegistration } from '@parley/contracts';
import { startMonitoring } from '@parley/monitoring';
import { startOrg } from '@parley/org';
import { randomSecret } from '@parley/platform/crypto';
import { Lifecycle } from '@parley/platform/lifecycle';
import { RevocationFeed } from '@parley/platform/revocations';
import type { Platform } from '@parley/platform/service';
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
  /** Behind the door, for tests: the services' own addresses and the store. */
  readonly internals: {
    readonly services: Readonly<Record<'auth' | 'org' | 'chat' | 'billing' | 'monitoring', string>>;
    storeUri(database: string): string;
  };
  /** Graceful: answers in the making are handed to the next start, then everything closes. */
  close(): Promise<void>;
};

const modelServerPorts = { ollama: 11_434, 'lm-studio': 1_234, vllm: 8_000, 'llama-cpp': 8_080 };

/** The one-process edition: five services and the BFF on loopback ports of their own, over one store. */
export async function startEmbedded(options: EmbeddedOptions): Promise<RunningParley> {
  const { config, logger } = options;
  const refusal = bindRefusal(config);
  if (refusal) throw new StartRefused(refusal);
  const shared = await EmbeddedPlatform.open(options);
  const lifecycle = new Lifecycle(logger);
  lifecycle.add('close', 'shared parts', () => shared.close());
  const setupToken = randomSecret();
  try {
    const [auth, org] = await Promise.all([
      shared
        .of('auth')
        .then((platform) => startAuth(platform, { registration: config.PARLEY_REGISTRATION, setupToken })),
      shared.of('org').then(startOrg),
    ]);
    const bffPlatform = await shared.of('bff', { host: config.PARLEY_HOST, port: config.PARLEY_PORT });
    const feed = new RevocationFeed({
      urls: { auth: auth.url, org: org.url },
      http: bffPlatform.http,
      signer: bffPlatform.signer,
      logger,
    });
    await feed.start();
    shared.useRevocations(feed);
    const [chat, billing, monitoring] = await Promise.all([
      shared.of('chat').then((platform) => startChat(platform, embeddedChatSettings(options))),
      shared.of('billing').then(startBilling),
      shared.of('monitoring').then(startMonitoring),
    ]);
    const services = { auth, org, chat, billing, monitoring };
    for (const [name, service] of Object.entries(services)) lifecycle.add('drain', name, () => service.close());
    const upstreams = {
      auth: auth.url,
      org: org.url,
      chat: chat.url,
      billing: billing.url,
      monitoring: monitoring.url,
    };
    const bff = await startBff(bffPlatform, { upstreams, ...bffSettings(config) });
    lifecycle.add('stop', 'bff', () => bff.close());
    const publicUrl = config.PARLEY_PUBLIC_URL?.replace(/\/$/, '') ?? shownUrl(bff.url);
    return {
      url: publicUrl,
      internals: { services: upstreams, storeUri: (database) => shared.store.uri(database) },
      setupUrl: (await isSetupPending(bffPlatform, auth.url)) ? `${publicUrl}/en/register?setup=${setupToken}` : null,
      close: () => lifecycle.shutdown(),
    };
  } catch (error) {
    await lifecycle.shutdown();
    throw error;
  }
}

function embeddedChatSettings(options: EmbeddedOptions): ReturnType<typeof chatSettings> {
  return chatSettings(options.config, {
    workers: options.workers,
    stallMs: options.stallMs,
    modelServerPorts: options.modelServerPorts ?? modelServerPorts,
  });
}

function bffSettings(config: EmbeddedConfig): Omit<Parameters<typeof startBff>[1], 'upstreams'> {
  const { PARLEY_TLS_CERT: cert, PARLEY_TLS_KEY: key } = config;
  return {
    frontendFolder: `${dirname(fileURLToPath(import.meta.resolve('@parley/frontend/package.json')))}/dist`,
    publicUrl: config.PARLEY_PUBLIC_URL ?? null,
    tls: cert === undefined || key === undefined ? null : { cert: readFileSync(cert), key: readFileSync(key) },
    isInsecureHttp: config.PARLEY_INSECURE_HTTP,
    trustedProxies: config.PARLEY_TRUSTED_PROXY,
  };
}

/** What a person types: loopback by its name, which browsers treat as secure. */
const shownUrl = (url: string): string =>
  url.replace('//127.0.0.1:', '//localhost:').replace('//0.0.0.0:', '//localhost:');

async function isSetupPending(platform: Platform, authUrl: string): Promise<boolean> {
  const { setupPending } = await platform.http.call(getRegistration, { baseUrl: authUrl, token: '', timeoutMs: 5_000 });
  return setupPending;
}
