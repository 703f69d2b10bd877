import { messagesOf } from '@parley/testing/client';
import { HTTP, type CloudEvent } from 'cloudevents';
import type { GroupId } from '@parley/contracts';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const contentType = 'application/cloudevents+json';
type Told = CloudEvent<unknown>;

/** Null for an event of another type. */
export const groupIn = ({ type, data }: Pick<Told, 'type' | 'data'>): GroupId | null =>
  type === 'group.changed.v1' ? (data as { groupId: GroupId }).groupId : null;

const readEvent = (body: string): Told => {
  const event = HTTP.toEvent({ headers: { 'content-type': contentType }, body }) as Told;
  event.validate();
  return event;
};

/** As a program outside does it: the official SDK reads what comes, and a cut reader comes back with its cursor. */
export class StreamFollower {
  readonly events: Told[] = [];
  /** How often a stream that had begun came to an end. */
  cuts = 0;
  private cursor = '';
  private readonly stop = new AbortController();
  private readonly reading: Promise<void>;

  constructor(
    private readonly url: string,
    private readonly secret: string,
  ) {
    this.reading = this.follow();
  }

  get isReading(): boolean {
    return this.cursor !== '';
  }

  async end(): Promise<void> {
    this.stop.abort();
    await this.reading;
  }

  private async follow(): Promise<void> {
    for (; !this.stop.signal.aborted; await wait(50)) await this.read().catch(() => undefined);
  }

  private async read(): Promise<void> {
    const { cursor, stop } = this;
    const headers = { authorization: `Bearer ${this.secret}`, ...(cursor !== '' && { 'last-event-id': cursor }) };
    const response = await fetch(`${this.url}/v1/events`, { headers, signal: stop.signal });
    if (!response.ok) return void (await response.text());
    try {
      for await (const { id, data } of messagesOf(response)) {
        if (data !== '') this.events.push(readEvent(data));
        if (id !== '') this.cursor = id;
      }
    } finally {
      if (!stop.signal.aborted) this.cuts += 1;
    }
  }
}

export type Receiver = {
  readonly url: string;
  readonly address: string;
  /** What was answered with 204, in its order. */
  readonly taken: readonly { readonly id: string; readonly event: Told }[];
  /** A call that waits for its answer. */
  readonly held: { readonly id: string; readonly fromPort: number } | null;
  /** Answers no call from now on. */
  hold(): void;
  /** Answers those that come from now on. */
  release(): void;
  close(): void;
};

/** Where a webhook points to. */
export async function startReceiver(): Promise<Receiver> {
  const taken: { id: string; event: Told }[] = [];
  const open = new Map<ServerResponse, NonNullable<Receiver['held']>>();
  let isHolding = false;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const id = String(request.headers['webhook-id']);
      if (isHolding) return void open.set(response, { id, fromPort: request.socket.remotePort ?? 0 });
      taken.push({ id, event: readEvent(body) });
      response.writeHead(204).end();
    });
    response.once('close', () => open.delete(response));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${address}/hook`,
    address,
    taken,
    get held() {
      return [...open.values()][0] ?? null;
    },
    hold: () => void (isHolding = true),
    release: () => void (isHolding = false),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Whether the connection that leaves from this port of this machine is that of the process. */
export function isFrom(port: number, pid: number): boolean {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  const inode = rows.map((row) => row.trim().split(/\s+/)).find(([, from]) => from?.endsWith(local))?.[9];
  const isOpenAs = (fd: string): boolean => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`;
    } catch {
      return false; // Closed meanwhile.
    }
  };
  return readdirSync(`/proc/${pid}/fd`).some(isOpenAs);
}
