import { startEmbeddedMongo } from '@parley/embedded-mongo';
import { freePort, startKafka, startRedis, type TestServer } from '@parley/testing/servers';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
/** TypeScript from source, so that no build is needed. */
const node = ['--conditions=parley-source', '--disable-warning=TimeoutNegativeWarning', '--import', join(root, 'packages/tooling/src/register.mjs')];

export const processNames = ['auth', 'org', 'chat-api', 'chat-worker', 'billing', 'monitoring', 'bff'] as const;
export type ProcessName = (typeof processNames)[number];
const mains: Record<ProcessName, string> = {
  auth: 'services/auth', org: 'services/org', 'chat-api': 'services/chat', 'chat-worker': 'services/chat', billing: 'services/billing', monitoring: 'services/monitoring', bff: 'bff',
};

export type Servers = { readonly kafka: TestServer; readonly redis: TestServer; readonly mongoUrl: string; readonly folder: string; close(): Promise<void> };

/** Kafka, Redis and a document store for one run, or why they cannot be. */
export async function startServers(): Promise<Servers | { readonly skipped: string }> {
  const kafka = await startKafka();
  if ('skipped' in kafka) return kafka;
  const redis = await startRedis();
  if ('skipped' in redis) return kafka.close().then(() => redis);
  const folder = mkdtempSync(join(tmpdir(), 'parley-distributed-'));
  const mongo = await startEmbeddedMongo({ file: join(folder, 'store.db') });
  return {
    kafka, redis, folder, mongoUrl: mongo.uri('').replace('/?', '?'),
    async close() {
      await mongo.close();
      await Promise.all([kafka.close(), redis.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Running = {
  readonly name: ProcessName;
  /** Of its management port. */
  probe(path: string): Promise<{ status: number; text: string }>;
  /** Its exit code. */
  readonly exited: Promise<number | null>;
  log(): string;
  signal(signal: NodeJS.Signals): void;
};

/** The settings and processes of one installation. */
export class Installation {
  private readonly servers: Servers;
  private readonly ports = new Map<string, number>();
  private readonly children: ChildProcess[] = [];
  publicUrl = '';
  /** host:port of a model server that providers may name. */
  modelServer = '';

  private constructor(servers: Servers) {
    this.servers = servers;
  }

  static async prepare(servers: Servers): Promise<Installation> {
    const installation = new Installation(servers);
    for (const name of processNames) for (const kind of ['', ':management']) installation.ports.set(name + kind, await freePort());
    installation.publicUrl = `http://localhost:${installation.ports.get('bff')}`;
    return installation;
  }

  /** Every setting that the operator's commands or any process need. */
  get shared(): Record<string, string> {
    const { kafka, redis, mongoUrl, folder } = this.servers;
    const url = (name: ProcessName) => `http://127.0.0.1:${this.ports.get(name)}`;
    return {
      PARLEY_MONGO_URL: mongoUrl, PARLEY_KAFKA_BROKERS: kafka.url, PARLEY_REDIS_URL: redis.url, PARLEY_HOST: '127.0.0.1', PARLEY_UNREADY_MS: '200', PARLEY_PUBLIC_KEYS_FILE: join(folder, 'keys/public.json'),
      PARLEY_AUTH_URL: url('auth'), PARLEY_ORG_URL: url('org'), PARLEY_CHAT_URL: url('chat-api'), PARLEY_BILLING_URL: url('billing'), PARLEY_MONITORING_URL: url('monitoring'),
      PARLEY_PUBLIC_URL: this.publicUrl, PARLEY_REGISTRATION: 'open', PARLEY_OUTBOUND_ALLOW: this.modelServer,
    };
  }

  settingsOf(name: ProcessName): Record<string, string> {
    const keys = join(this.servers.folder, 'keys');
    const role: Record<string, string> = name.startsWith('chat-') ? { PARLEY_ROLE: name.slice('chat-'.length), PARLEY_SEALING_KEY_FILE: join(keys, 'sealing.key'), PARLEY_BLOBS_FOLDER: join(this.servers.folder, 'blobs') } : {};
    return {
      ...this.shared, ...role, PARLEY_SIGNING_KEY_FILE: join(keys, `${name.startsWith('chat-') ? 'chat' : name}.json`),
      PARLEY_PORT: String(this.ports.get(name)), PARLEY_MANAGEMENT_PORT: String(this.ports.get(`${name}:management`)),
    };
  }

  /** A second process of a name gets ports of its own. */
  async start(name: ProcessName, isSecond = false): Promise<Running> {
    const settings = this.settingsOf(name);
    if (isSecond) Object.assign(settings, { PARLEY_PORT: '0', PARLEY_MANAGEMENT_PORT: String(await freePort()) });
    const child = this.spawn([join(root, mains[name], 'src/main.ts')], settings);
    const output = collect(child);
    const probe = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${settings['PARLEY_MANAGEMENT_PORT']}${path}`);
      return { status: response.status, text: await response.text() };
    };
    return { name, probe, exited: exitOf(child), log: output, signal: (signal) => void child.kill(signal) };
  }

  /** Runs `parley …` to its end. */
  async parley(args: readonly string[], options: { input?: string; settings?: Record<string, string> } = {}): Promise<{ code: number | null; output: string }> {
    const child = this.spawn([join(root, 'packages/cli/src/cli.ts'), ...args], options.settings ?? this.shared);
    const output = collect(child);
    child.stdin?.end(options.input ?? '');
    return { code: await exitOf(child), output: output() };
  }

  killAll(): void {
    for (const child of this.children) child.kill('SIGKILL');
  }

  private spawn(args: readonly string[], settings: Record<string, string>): ChildProcess {
    const child = spawn(process.execPath, [...node, ...args], { env: { PATH: '/usr/bin:/bin', TMPDIR: tmpdir(), ...settings }, stdio: ['pipe', 'pipe', 'pipe'] });
    this.children.push(child);
    return child;
  }
}

function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}

const exitOf = (child: ChildProcess): Promise<number | null> => new Promise((resolve) => void child.once('close', resolve));

/** An OpenAI-compatible server: the first answer stops after its first word, later ones come whole. */
export async function startHaltingModel(): Promise<{ readonly address: string; close(): void }> {
  const word = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
  let asked = 0;
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/models')) return void response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: [{ id: 'm' }] }));
    asked += 1;
    response.setHeader('content-type', 'text/event-stream').write(word('one '));
    if (asked > 1) response.end(`${word('two ')}${word('three')}data: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
