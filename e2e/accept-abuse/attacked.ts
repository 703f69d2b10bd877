import type { OrgId } from '@parley/protocol';
import { ParleyClient } from '@parley/testing/client';
import { eventually } from '@parley/testing/eventually';
import { Installation, processNames, startInfrastructure, type Running } from '@parley/testing/distributed';
import { freePort } from '@parley/testing/servers';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Product } from '../accept-kill/product.ts';

const readyWithinMs = 240_000;

/** A running edition that is attacked, with the rates and limits that people meet. */
export type Attacked = {
  readonly url: string;
  /** A platform admin approves this organisation. */
  approve(orgId: OrgId): Promise<void>;
  /** No process has ended or been restarted. */
  readonly isAlive: boolean;
  readonly pids: readonly number[];
  /** True if the verdict limits the memory of its processes. */
  readonly isMemoryJudged: boolean;
  /** The longest CPU time for which one command held the store since the start; null where the store is another server. */
  longestHoldMs(): Promise<number | null>;
  close(): Promise<void>;
};

/** Starts an edition that may call these addresses. Throws with the reason where it can't run here. */
export type StartAttacked = (allowed: readonly string[]) => Promise<Attacked>;

const admin = { name: 'Admin', email: 'admin@example.com', password: 'three quiet herons' };

async function approveBy(client: ParleyClient, orgId: OrgId): Promise<void> {
  await client.call('PUT /api/org/all-organisations/:orgId/approval', {
    params: { orgId },
    body: { isApproved: true },
  });
}

const settingsFor = (allowed: readonly string[]): Record<string, string> => ({
  PARLEY_TRUSTED_PROXY: '127.0.0.1',
  PARLEY_OUTBOUND_ALLOW: allowed.join(','),
});

export const startEmbedded: StartAttacked = async (allowed) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-abuse-'));
  const managementPort = await freePort();
  const variables = { ...settingsFor(allowed), PARLEY_MANAGEMENT_PORT: String(managementPort) };
  const product = new Product({ folder, port: await freePort(), variables, hook: null });
  if (!(await product.start())) throw new Error(`The product ended at its start: ${product.said}`);
  let hasEnded = false;
  void product.ended(2 ** 31 - 1).then(
    () => (hasEnded = true),
    () => undefined,
  );
  return {
    url: product.url,
    approve: async (orgId) => {
      const client = new ParleyClient(product.url);
      await client.register({ ...admin, setupToken: product.setupToken! });
      await approveBy(client, orgId);
    },
    get isAlive() {
      return !hasEnded && product.life === 1;
    },
    pids: [product.pid!],
    isMemoryJudged: true,
    longestHoldMs: async () => {
      const text = await (await fetch(`http://127.0.0.1:${managementPort}/metrics`)).text();
      return 1_000 * Number(/^parley_store_longest_hold_seconds\S* (\S+)$/m.exec(text)?.[1] ?? Number.NaN);
    },
    close: async () => {
      await product.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** One of each of the seven processes, on Kafka, Redis and a document store. */
export const startDistributed: StartAttacked = async (allowed) => {
  const infrastructure = await startInfrastructure();
  if ('skipped' in infrastructure) throw new Error(infrastructure.skipped);
  const installation = await Installation.prepare({
    infrastructure,
    settings: { ...settingsFor(allowed), PARLEY_RATE_LIMITS: '', PARLEY_REGISTRATIONS_PER_HOUR: '20' },
  });
  const close = async (): Promise<void> => {
    await installation.close();
    await infrastructure.close();
  };
  try {
    await installation.setUp();
    const processes = await Promise.all(processNames.map((name) => installation.start(name)));
    await eventually(() => allAreReady(processes), 'all processes should be ready', readyWithinMs);
    const ended = new Set<string>();
    for (const { name, exited } of processes) void exited.then(() => ended.add(name));
    return {
      url: installation.publicUrl,
      approve: async (orgId) => {
        const { email, name, password } = admin;
        await installation.parley(['admin', 'create', '--email', email, '--name', name], { input: `${password}\n` });
        const client = new ParleyClient(installation.publicUrl);
        await client.signIn(email, password);
        await approveBy(client, orgId);
      },
      get isAlive() {
        return ended.size === 0;
      },
      pids: processes.map(({ pid }) => pid),
      isMemoryJudged: false,
      longestHoldMs: async () => null,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

async function allAreReady(processes: readonly Running[]): Promise<boolean> {
  const ready = await Promise.all(processes.map((each) => each.isReady()));
  return ready.every(Boolean);
}

/** Of all of them now, in MB; null where the system doesn't say. */
export function rssMbOf(pids: readonly number[]): number | null {
  try {
    const each = pids.map((pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]));
    return Math.round(each.reduce((sum, kilobytes) => sum + kilobytes, 0) / 1_024);
  } catch {
    return null;
  }
}
