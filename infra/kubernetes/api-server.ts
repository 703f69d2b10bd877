import { freePort } from '@parley/testing/servers';
import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubernetesObject } from './objects.ts';
import type { Tools } from './tools.ts';

const readyMs = 60_000;

/** Answer of the API server to one object. */
export type Verdict = { readonly isAccepted: boolean; readonly message: string };
export type ApiServer = {
  /** Server-side apply with strict field validation; nothing is kept with `dryRun`. */
  apply(object: KubernetesObject, options: { dryRun: boolean }): Promise<Verdict>;
  close(): void;
};

/** A real Kubernetes API server with its etcd, on loopback, for as long as it is asked. */
export async function startApiServer(tools: Tools): Promise<ApiServer> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-kubernetes-'));
  const [client, peer, port] = [await freePort(), await freePort(), await freePort()];
  const token = randomBytes(16).toString('hex');
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  writeFileSync(join(folder, 'sa.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(join(folder, 'sa.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(join(folder, 'tokens.csv'), `${token},tester,tester,system:masters\n`);
  const etcd = `http://127.0.0.1:${client}`;
  const processes: ChildProcess[] = [
    start(tools.etcd, [
      '--data-dir',
      join(folder, 'etcd'),
      '--listen-client-urls',
      etcd,
      '--advertise-client-urls',
      etcd,
      '--listen-peer-urls',
      `http://127.0.0.1:${peer}`,
      '--initial-advertise-peer-urls',
      `http://127.0.0.1:${peer}`,
      '--initial-cluster',
      `default=http://127.0.0.1:${peer}`,
    ]),
    start(tools.apiServer, [
      '--etcd-servers',
      etcd,
      '--service-account-key-file',
      join(folder, 'sa.pub'),
      '--service-account-signing-key-file',
      join(folder, 'sa.key'),
      '--service-account-issuer',
      'https://parley.test',
      '--token-auth-file',
      join(folder, 'tokens.csv'),
      '--secure-port',
      String(port),
      '--bind-address',
      '127.0.0.1',
      '--cert-dir',
      join(folder, 'certificates'),
      '--authorization-mode',
      'RBAC',
      '--service-cluster-ip-range',
      '10.0.0.0/24',
      '--disable-admission-plugins',
      'ServiceAccount',
    ]),
  ];
  const close = () => {
    for (const child of processes) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  const call = (method: string, path: string, body?: string) => send({ port, token, method, path, body });
  try {
    await untilReady(async () => (await call('GET', '/readyz')).status === 200);
  } catch (error) {
    close();
    throw error;
  }
  return {
    async apply(object, { dryRun }) {
      const { status, text } = await call(
        'PATCH',
        `${pathOf(object)}?fieldManager=parley&force=true&fieldValidation=Strict${dryRun ? '&dryRun=All' : ''}`,
        JSON.stringify(object),
      );
      return {
        isAccepted: status < 300,
        message: status < 300 ? '' : ((JSON.parse(text) as { message?: string }).message ?? text),
      };
    },
    close,
  };
}

/** `/apis/<group>/<version>/namespaces/<namespace>/<plural>/<name>`. */
function pathOf({ apiVersion, kind, metadata }: KubernetesObject): string {
  const lower = kind.toLowerCase();
  const plural = lower.endsWith('y') ? `${lower.slice(0, -1)}ies` : `${lower}s`;
  const place = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  return `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}${place}/${plural}/${metadata.name}`;
}

function start(command: string, args: readonly string[]): ChildProcess {
  return spawn(command, args, { stdio: 'ignore' });
}

async function untilReady(isReady: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + readyMs;
  while (!(await isReady().catch(() => false))) {
    if (Date.now() > deadline) throw new Error('The Kubernetes API server does not serve.');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** The server's certificate is its own, made a moment ago on this machine. */
function send(call: {
  port: number;
  token: string;
  method: string;
  path: string;
  body?: string | undefined;
}): Promise<{ status: number; text: string }> {
  const { port, token, method, path, body } = call;
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        rejectUnauthorized: false,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/apply-patch+yaml' },
      },
      (answer) => {
        let text = '';
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    asked.once('error', reject);
    asked.end(body);
  });
}
