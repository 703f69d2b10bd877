import { Injectable } from '@nestjs/common';
import { checkTypes, lastEventHeader, placeOf, typesNamed, type followEvents } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope } from '@parley/platform/mongo';
import { Platform, type InputOf } from '@parley/platform/service';
import { Problem } from '@parley/protocol';
import { setTimeout as delay } from 'node:timers/promises';
import { EventStream } from './event-stream.ts';
import { Readers, type Piece, type Reader } from './readers.ts';
import { gap, greeting, heartbeat, told } from './sse.ts';

const pageSize = 100;
const heartbeatMs = 15_000;
/** Then a reader comes back through the gate: keys and sessions have an end, and revocations are kept for ten minutes. */
const longestMs = 5 * 60_000;
const lookAgainMs = 200;

type Input = InputOf<typeof followEvents>;
type Following = {
  readonly reader: Reader;
  readonly scope: OrganisationScope;
  readonly principal: Input['principal'];
  readonly types: ReadonlySet<string> | null;
  readonly goesOn: boolean;
  place: number;
};

/** An organisation's events for its programs, as fast as each of them reads. */
@Injectable()
export class FollowEventsService {
  constructor(
    private readonly stream: EventStream,
    private readonly readers: Readers,
    private readonly platform: Platform,
    private readonly clock: Clock,
  ) {}

  async follow({ scope, principal, query, request }: Input): Promise<AsyncIterable<string>> {
    const { orgId } = scope;
    checkTypes(query.type ?? [], 'query.type');
    const head = await this.stream.head(scope);
    const place = await this.begin(scope, head, { header: request.header(lastEventHeader), query: query.cursor });
    const reader = this.readers.join(orgId, head);
    const response = request.res!;
    if (response.closed) this.readers.leave(orgId, reader);
    else response.once('close', () => this.readers.leave(orgId, reader));
    const types = query.type ? new Set(query.type.flatMap(typesNamed)) : null;
    return this.read({ reader, scope, principal, types, goesOn: query.follow !== 'false', place });
  }

  private async begin(
    scope: OrganisationScope,
    head: number,
    given: { readonly header: string | undefined; readonly query: string | undefined },
  ): Promise<number> {
    const cursor = given.header || given.query;
    if (cursor === undefined) return head;
    if (cursor === '0') return this.stream.beginning(scope);
    const place = placeOf(scope.orgId, cursor);
    if (place === null) throw notOfThisStream(given.header ? `header.${lastEventHeader}` : 'query.cursor');
    return place;
  }

  /** Nothing is read ahead: the next page is asked for when the last one has been taken. */
  private async *read(following: Following): AsyncGenerator<string> {
    const { reader, scope, goesOn } = following;
    const { orgId } = scope;
    const endsAt = performance.now() + longestMs;
    yield greeting() + heartbeat({ orgId, position: following.place });
    let isQuiet = false;
    while (await this.mayGoOn(following, endsAt)) {
      const before = following.place;
      const page = await this.page(following);
      if (page !== '') yield page;
      else if (isQuiet) yield heartbeat({ orgId, position: following.place });
      isQuiet = false;
      if (following.place !== before) continue;
      if (!goesOn) return;
      isQuiet = await reader.isQuiet(following.place, heartbeatMs);
    }
  }

  /** What is to be told next, which moves the place; empty where nothing is, or nothing that was asked for. */
  private async page(following: Following): Promise<string> {
    const { scope, types, reader, place } = following;
    const { orgId } = scope;
    // Asked before the page: what was there by then and is not in the page is gone.
    const { head } = reader;
    const page = await reader.page(place, () => this.pieces(scope, place));
    const end = page.at(-1)?.position ?? head;
    reader.saw(end);
    const begin = page[0] ? page[0].position - 1 : head;
    const missing = begin === place ? '' : gap({ orgId, from: place, to: begin, at: this.clock.now() });
    following.place = end;
    const wanted = types ? page.filter(({ type }) => types.has(type)) : page;
    return missing + wanted.map(({ text }) => text).join('');
  }

  private async pieces(scope: OrganisationScope, place: number): Promise<readonly Piece[]> {
    const rows = await this.stream.after(scope, place, pageSize);
    return rows.map(({ position, event }) => ({ position, type: event.type, text: told(event) }));
  }

  /** False when its time is over, the caller is gone or was refused something since. Waits while nobody can tell. */
  private async mayGoOn({ reader, principal }: Following, endsAt: number): Promise<boolean> {
    const { revocations } = this.platform;
    while (performance.now() < endsAt && !reader.hasEnded && !revocations.isRevoked(principal)) {
      if (revocations.isFresh()) return true;
      await delay(lookAgainMs);
    }
    return false;
  }
}

const notOfThisStream = (path: string): Problem =>
  new Problem('platform.invalid-request', {
    detail: 'Take the cursor from the `id` of a message of this stream, or leave it out to begin now.',
    errors: [{ path, message: 'not a cursor of this organisation' }],
  });
