import { spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type TestServer } from '../servers/index.ts';
import { startBalancer } from './balancer.ts';
import type { Infrastructure } from './infrastructure.ts';

const root = join(import.meta.dirname, '../../../..');
/** Where `.ci/deep` keeps what Node has compiled. */
const cache = process.env['NODE_COMPILE_CACHE'];
const compiled: Record<string, string> = cache === undefined ? {} : { NODE_COMPILE_CACHE: cache };

export const processNames = ['auth', 'org', 'chat-api', 'chat-worker', 'billing', 'monitoring', 'bff'] as const;
export type ProcessName = (typeof processNames)[number];
const packages: Record<ProcessName, string> = {
  auth: 'services/auth',
  org: 'services/org',
  'chat-api': 'services/chat',
  'chat-worker': 'services/chat',
  billing: 'services/billing',
  monitoring: 'services/monitoring',
  bff: 'bff',
};

export type InstallationOptions = {
  readonly infrastructure: Infrastructure;
  /** Of each process. With more than one, a round-robin TCP balancer stands before each kind. */
  readonly copies?: number;
  /** Settings of all processes, over the usual ones. */
  readonly settings?: Record<string, string>;
  /** What each process imports before its own code. */
  readonly hook?: string | null;
};

export type Running = {
  readonly name: ProcessName;
  readonly copy: number;
  readonly pid: number;
  /** Of its management port. */
  probe(path: string): Promise<{ status: number; text: string }>;
  isReady(): Promise<boolean>;
  /** Its exit code; null after kill -9. */
  readonly exited: Promise<number | null>;
  log(): string;
  signal(signal: NodeJS.Signals): void;
};

/**
 * The settings of one installation and its processes, which run what the build wrote, as an image does. They end with
 * this process at the latest.
 */
export class Installation {
  readonly publicUrl: string;
  private readonly options: InstallationOptions;
  private readonly ports: ReadonlyMap<string, number>;
  private readonly balancer: TestServer | null;
  private readonly children = new Set<ChildProcess>();

  private constructor(options: InstallationOptions, ports: ReadonlyMap<string, number>, balancer: TestServer | null) {
    this.options = options;
    this.ports = ports;
    this.balancer = balancer;
    this.publicUrl = `http://localhost:${this.doorOf('bff')}`;
    process.once('exit', () => this.killAll());
  }

  /**
   * Chooses ports and starts the balancer, nothing else. Throws when there has to be a balancer and none can run here:
   * ask `findBalancer` first.
   */
  static async prepare(options: InstallationOptions): Promise<Installation> {
    const ports = new Map<string, number>();
    const copies = Array.from({ length: options.copies ?? 1 }, (_unused, copy) => copy);
    for (const name of processNames) {
      for (const copy of copies)
        for (const kind of ['', ':management']) ports.set(`${name}:${copy}${kind}`, await freePort());
      if (copies.length > 1) ports.set(`${name}:door`, await freePort());
    }
    if (copies.length === 1) return new Installation(options, ports, null);
    const balancer = await startBalancer(
      processNames.map((name) => ({
        name,
        port: ports.get(`${name}:door`)!,
        targets: copies.map((copy) => ports.get(`${name}:${copy}`)!),
      })),
    );
    if ('skipped' in balancer) throw new Error(balancer.skipped);
    return new Installation(options, ports, balancer);
  }

  /** Every setting that the operator's commands or any process need. */
  get shared(): Record<string, string> {
    const { kafka, redis, mongoUrl, folder } = this.options.infrastructure;
    const url = (name: ProcessName) => `http://127.0.0.1:${this.doorOf(name)}`;
    return {
      PARLEY_MONGO_URL: mongoUrl,
      PARLEY_KAFKA_BROKERS: kafka.url,
      PARLEY_REDIS_URL: redis.url,
      PARLEY_HOST: '127.0.0.1',
      PARLEY_UNREADY_MS: '200',
      PARLEY_PUBLIC_KEYS_FILE: join(folder, 'keys/public.json'),
      PARLEY_AUTH_URL: url('auth'),
      PARLEY_ORG_URL: url('org'),
      PARLEY_CHAT_URL: url('chat-api'),
      PARLEY_BILLING_URL: url('billing'),
      PARLEY_MONITORING_URL: url('monitoring'),
      PARLEY_PUBLIC_URL: this.publicUrl,
      PARLEY_REGISTRATION: 'open',
      PARLEY_REGISTRATIONS_PER_HOUR: '100000',
      // Tests look again and again until something is so.
      PARLEY_RATE_LIMITS: '*.person=100000,*.organisation=100000',
      ...this.options.settings,
    };
  }

  settingsOf(name: ProcessName, copy = 0): Record<string, string> {
    const { folder } = this.options.infrastructure;
    const keys = join(folder, 'keys');
    const role: Record<string, string> = name.startsWith('chat-')
      ? {
          PARLEY_ROLE: name.slice('chat-'.length),
          PARLEY_SEALING_KEY_FILE: join(keys, 'sealing.key'),
          PARLEY_BLOBS_FOLDER: join(folder, 'blobs'),
        }
      : name === 'auth' || name === 'monitoring'
        ? { PARLEY_SEALING_KEY_FILE: join(keys, 'sealing.key') }
        : {};
    return {
      ...this.shared,
      ...role,
      PARLEY_SIGNING_KEY_FILE: join(keys, `${name.startsWith('chat-') ? 'chat' : name}.json`),
      PARLEY_PORT: String(this.ports.get(`${name}:${copy}`)),
      PARLEY_MANAGEMENT_PORT: String(this.ports.get(`${name}:${copy}:management`)),
    };
  }

  /** Starts one process on the ports of that copy. A copy beyond the balanced ones gets ports of its own. */
  async start(name: ProcessName, copy = 0, over: Record<string, string> = {}): Promise<Running> {
    const settings = { ...this.settingsOf(name, copy), ...over };
    if (!this.ports.has(`${name}:${copy}`))
      Object.assign(settings, { PARLEY_PORT: '0', PARLEY_MANAGEMENT_PORT: String(await freePort()) });
    const hooks = this.options.hook ? ['--import', this.options.hook] : [];
    const child = this.spawn([...hooks, join(root, packages[name], 'dist/main.js')], settings);
    const log = collect(child);
    const probe = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${settings['PARLEY_MANAGEMENT_PORT']}${path}`);
      return { status: response.status, text: await response.text() };
    };
    const isReady = () =>
      probe('/health/ready').then(
        ({ status }) => status === 200,
        () => false,
      );
    return {
      name,
      copy,
      pid: child.pid ?? 0,
      probe,
      isReady,
      exited: exitOf(child),
      log,
      signal: (signal) => void child.kill(signal),
    };
  }

  /** Runs `parley …` to its end. */
  async parley(
    args: readonly string[],
    options: { input?: string; settings?: Record<string, string> } = {},
  ): Promise<{ code: number | null; output: string }> {
    const child = this.spawn([join(root, 'cli/dist/cli.js'), ...args], options.settings ?? this.shared);
    const output = collect(child);
    child.stdin?.end(options.input ?? '');
    return { code: await exitOf(child), output: output() };
  }

  /** What an operator does once, before the processes start: keys, topics, schema. */
  async setUp(): Promise<void> {
    const { folder } = this.options.infrastructure;
    for (const args of [['keys', 'init', '--out', join(folder, 'keys')], ['topics', 'apply'], ['migrate-schema']]) {
      const { code, output } = await this.parley(args);
      if (code !== 0) throw new Error(`parley ${args.join(' ')} ended with ${String(code)}: ${output}`);
    }
  }

  killAll(): void {
    for (const child of this.children) child.kill('SIGKILL');
  }

  /** Kills what still runs and ends the balancer. */
  async close(): Promise<void> {
    this.killAll();
    await this.balancer?.close();
  }

  /** Where callers reach a kind of process. */
  private doorOf(name: ProcessName): number {
    return this.ports.get(`${name}:door`) ?? this.ports.get(`${name}:0`)!;
  }

  private spawn(args: readonly string[], settings: Record<string, string>): ChildProcess {
    const child = spawn(process.execPath, args, {
      env: { PATH: '/usr/bin:/bin', TMPDIR: tmpdir(), ...compiled, ...settings },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.children.add(child);
    child.once('close', () => this.children.delete(child));
    return child;
  }
}

const keptCharacters = 400_000;

/** The end of what it prints; a long run prints much. */
function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.length > 2 * keptCharacters) text = text.slice(-keptCharacters);
    });
  }
  return () => text;
}

const exitOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => void child.once('close', resolve));
