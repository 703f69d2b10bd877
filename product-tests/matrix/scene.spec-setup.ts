import { expect } from '@jest/globals';
import type { DocumentId, Message } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { newPerson, password, plantMember, startTestParley, type TestParley } from '@parley/embedded/test-parley';
import type { ProblemDetails, RouteContract } from '@parley/protocol';
import type { Row, RowRequest, World } from './rows.spec-setup.ts';
import { silentAddress } from './silent-model.spec-setup.ts';

export type Answer = { readonly status: number; readonly problem: ProblemDetails | null; readonly text: string };
type Extra = { readonly headers?: Record<string, string>; readonly body?: string };

export const isChange = (route: RouteContract): boolean => route.method !== 'GET';

/** The request of a row, made when it is first asked for: what is refused changes nothing, so one serves for all of it. */
export function requestOf(row: Row): (world: World) => Promise<RowRequest> {
  let made: Promise<RowRequest> | undefined;
  return (world) => (made ??= Promise.resolve(row.request(world)));
}

let addresses = 0;
/** Each call comes from elsewhere, so that the limit per address stays out of the way. */
const anotherAddress = (): string => `198.51.${Math.floor((addresses += 1) / 250) % 250}.${addresses % 250}`;

/** A running Parley with the things of organisation A and the people around them. */
export class Scene {
  private constructor(
    readonly running: TestParley,
    readonly world: World,
    readonly people: {
      /** An owner of A, too: may do everything there, and sees nothing that is somebody's own. */
      readonly colleague: ParleyClient;
      /** A member of A who may do little. */
      readonly guest: ParleyClient;
      readonly otherOwner: ParleyClient;
      /** The owner of A, acting in a second organisation. */
      readonly elsewhere: ParleyClient;
    },
  ) {}

  static async start(): Promise<Scene> {
    const running = await startTestParley({
      PARLEY_OUTBOUND_ALLOW: `127.0.0.1:9,${await silentAddress()}`,
      PARLEY_TRUSTED_PROXY: '127.0.0.1',
    });
    const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
    const owner = await newPerson(running.url, { organisation: 'Lindmoor Energy', setupToken });
    const otherOwner = await newPerson(running.url, { organisation: 'Fennick Clinics' });
    const [colleague, guest] = [await newPerson(running.url), await newPerson(running.url)];
    await plantMember(running.parley, colleague, owner, 'owner');
    await plantMember(running.parley, guest, owner, 'guest');
    const member = await newPerson(running.url);
    await plantMember(running.parley, member, owner, 'member');
    // Another browser: a row that signs in ends the session that the browser had.
    const elsewhere = new ParleyClient(running.url);
    await elsewhere.signIn(owner.me?.email ?? '', password);
    await elsewhere.createOrganisation('Second home');
    return new Scene(
      running,
      { ...(await makeThings(owner)), memberId: member.me!.id, parley: running.parley },
      { colleague, guest, otherOwner, elsewhere },
    );
  }

  /** The same things of the other organisation, made by its owner. */
  async otherWorld(): Promise<World> {
    const { otherOwner } = this.people;
    const member = await newPerson(this.running.url, { address: anotherAddress() });
    await plantMember(this.running.parley, member, otherOwner, 'member');
    return { ...(await makeThings(otherOwner)), memberId: member.me!.id, parley: this.running.parley };
  }

  async call(client: ParleyClient, route: RouteContract, request: RowRequest, extra: Extra = {}): Promise<Answer> {
    const path = route.path.replaceAll(/:([A-Za-z]+)/g, (_match, name: string) => request.params?.[name] ?? name);
    const query = request.query ? `?${new URLSearchParams(request.query).toString()}` : '';
    const contentType = route.rawBodyLimit === undefined ? 'application/json' : 'application/octet-stream';
    const { body: given } = request;
    const isFile = typeof given === 'string' || given instanceof Uint8Array;
    const body = extra.body ?? (isFile ? given : JSON.stringify(given));
    const response = await client.request(route.method, path + query, {
      ...(body !== undefined && { body, contentType }),
      headers: { 'x-forwarded-for': anotherAddress(), ...extra.headers },
    });
    const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') ?? false;
    const text = await response.text();
    if (response.status >= 400 && !isProblem)
      throw new Error(`${route.route}: ${response.status} is not a problem: ${text.slice(0, 200)}`);
    return { status: response.status, problem: isProblem ? (JSON.parse(text) as ProblemDetails) : null, text };
  }

  /** The owner of A, or somebody whose session the row may end. */
  async callerOf(row: Row): Promise<ParleyClient> {
    return row.endsSession ? newPerson(this.running.url, { address: anotherAddress() }) : this.world.owner;
  }

  close(): Promise<void> {
    return this.running.close();
  }
}

async function makeThings(owner: ParleyClient): Promise<Omit<World, 'memberId' | 'parley'>> {
  const { id: documentId } = await owner.upload('leave.md', '# Leave\n\nCarry over ends in March.');
  await eventually(async () => {
    const { items } = await owner.call('GET /api/chat/documents');
    expect(items[0]?.status).toBe('searchable');
  }, 'the document should be searchable');
  const conversationId = newId('conversation');
  await owner.send(conversationId, 'When does carry over end?');
  const messages = await eventually(async (): Promise<Message[]> => {
    const { items } = await owner.messages(conversationId);
    expect(items[1]?.generation?.status).toBe('done');
    expect((await owner.ledgerEntries()).length).toBe(1);
    return items;
  }, 'the answer and its ledger entry should be there');
  const provider = await owner.call('POST /api/chat/providers', {
    body: {
      id: newId('provider'),
      name: 'P',
      baseUrl: 'http://127.0.0.1:9/v1',
      models: ['m'],
      defaultModel: 'm',
      isDefault: false,
    },
  });
  const chunkId = messages[1]?.citations[0]?.chunkId;
  if (!chunkId) throw new Error('the answer cites nothing');
  return { owner, conversationId, messages, chunkId, documentId: documentId as DocumentId, provider };
}
