import type { RouteContract } from '@parley/protocol';
import type { Resource } from '@parley/contracts/names';
import { expect } from '@jest/globals';
import { eventually } from '@parley/testing';
import type { LiveSocket, ParleyClient } from '@parley/testing/client';
import type { RowRequest } from '../matrix/rows.spec-setup.ts';
import type { Scene } from '../matrix/scene.spec-setup.ts';
import { differences } from './differences.spec-setup.ts';
import { oneOf, queryOf, readWhenOpened, untold, type Fields, type Opened } from './opened.spec-setup.ts';
import type { ScreenRead } from './screen-reads.spec-setup.ts';

type Held = { readonly read: ScreenRead; readonly request: RowRequest; text: string };

type Opening = {
  readonly scene: Scene;
  readonly person: ParleyClient;
  readonly reads: readonly ScreenRead[];
  /** Fields that aren't compared on this person's screen. */
  readonly left?: Fields;
};

/** A person's second tab: holds what every page has read and hears, by a socket of its own, what of it is old. */
export class Tab {
  readonly heard: (readonly Resource[])[] = [];
  readonly socket: LiveSocket;
  private held: Held[] = [];
  /** It connected again: the page reads all of it again. */
  private isAllOld = false;

  private constructor(
    private readonly scene: Scene,
    readonly client: ParleyClient,
    private readonly reads: readonly ScreenRead[],
    private readonly left: Fields,
  ) {
    this.socket = client.socket();
    this.socket.on('resource.changed', ({ resources }) => this.heard.push(resources));
    this.socket.on('session.ended', ({ reason }) => reason === 'access-lost' && this.heard.push(['organisations']));
    this.socket.on('connect', () => (this.isAllOld = true));
    // The page comes back where the server let it go, and asks until it is let in.
    this.socket.on('disconnect', (reason) => reason === 'io server disconnect' && this.socket.connect());
    this.socket.on('connect_error', () => {
      if (!this.socket.active) setTimeout(() => this.isOpen && this.socket.connect(), 100);
    });
  }
  private isOpen = true;

  /** Opens the tab. What this person can't read at first isn't on their screen. */
  static async open({ scene, person, reads, left = {} }: Opening): Promise<Tab> {
    const client = person.copy();
    const readable: ScreenRead[] = [];
    for (const read of reads) {
      if (read.route.route in readWhenOpened) continue;
      const isList = !read.route.path.includes(':');
      const { status } = isList ? await scene.call(client, read.route, queryOf(read.route)) : { status: 200 };
      if (status === 200) readable.push(read);
    }
    const tab = new Tab(scene, client, readable, { ...untold, ...left });
    await eventually(() => tab.socket.connected, 'the tab should be connected');
    return tab;
  }

  /** Reads everything, as if each page had just been opened, and forgets what it heard. */
  async readAll(): Promise<void> {
    const lists: Opened = new Map();
    const held: Held[] = [];
    // What is opened from a list is read after the lists.
    for (const read of this.reads.toSorted((one, other) => depth(one) - depth(other)))
      for (const request of oneOf(read.route, lists, this.scene.world)) {
        const { status, text } = await this.scene.call(this.client, read.route, request);
        if (status !== 200) continue;
        lists.set(read.route.route, [...(lists.get(read.route.route) ?? []), { request, text }]);
        held.push({ read, request, text });
      }
    this.held = held;
    this.heard.length = 0;
    this.isAllOld = false;
  }

  /** Reads again what it was told is old; returns what of the rest isn't as the server has it now. */
  async stale(): Promise<string[]> {
    // The server doesn't let the person in: the page says so and shows nothing else.
    if (!this.socket.connected) return [];
    const named = new Set(this.heard.flat());
    const stale: string[] = [];
    for (const { read, request, text } of this.isAllOld ? [] : this.held) {
      const left = [...read.resources].filter((resource) => !named.has(resource));
      if (left.length === 0) continue;
      const now = await this.scene.call(this.client, read.route, request);
      const found = differences(this.comparable(read.route, text), this.comparable(read.route, now.text));
      if (found.length > 0) stale.push(`${read.route.route} under ${left.join(', ')}: ${found.join('; ')}`);
    }
    return stale;
  }

  /** Waits for the message of a rule; one who has been shut out and let in again has read everything instead. */
  async hears(resources: readonly Resource[]): Promise<void> {
    await eventually(
      () => this.isAllOld || !this.socket.connected || expect(this.heard).toContainEqual(resources),
      `the tab should be told of ${resources.join(', ')}`,
    );
  }

  private comparable({ route }: RouteContract, text: string): unknown {
    const left = this.left[route] ?? {};
    return JSON.parse(text, (key, value: unknown) => (Object.hasOwn(left, key) ? undefined : value));
  }

  close(): void {
    this.isOpen = false;
    this.socket.close();
  }
}

const depth = ({ route }: ScreenRead): number => route.path.split(':').length + (route.path.includes('runId') ? 1 : 0);
