import { Injectable } from '@nestjs/common';
import {
  connectionChanged,
  documentsManaged,
  type changeConnection,
  type Connection,
  type ConnectionId,
  type createConnection,
  type decideRemoval,
  type deleteConnection,
  type listConnections,
  type listConnectionUses,
  type retryConnection,
  type syncConnection,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import type { InputOf, Member } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type DataOf, type ResponseOf } from '@parley/protocol';
import { ChatbotsRepository } from '../../assistants/chatbots/index.ts';
import {
  ConnectionsRepository,
  defaultConnectionIdOf,
  newConnection,
  nextSync,
  ReadableConnections,
  toConnection,
  type ConnectionRow,
} from '../connections/index.ts';
import { DocumentsService, SyncedDocuments } from '../documents/index.ts';
import { SourceSettings } from '../syncing/index.ts';

type Change = DataOf<typeof connectionChanged>['change'];

/** Data connections, for whoever reads and manages them. */
@Injectable()
export class ConnectionManagementService {
  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly readable: ReadableConnections,
    private readonly documents: DocumentsService,
    private readonly synced: SyncedDocuments,
    private readonly chatbots: ChatbotsRepository,
    private readonly sources: SourceSettings,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async list({ scope, principal }: InputOf<typeof listConnections>): Promise<ResponseOf<typeof listConnections>> {
    const [rows, listed] = await Promise.all([this.connections.list(scope), this.readable.listed(scope, principal)]);
    const seen = rows.filter(({ _id }) => listed.includes(_id));
    const counts = await this.documents.countsOfEach(
      scope,
      seen.map(({ _id }) => _id),
    );
    const storage = await this.documents.storage(scope);
    return { items: seen.map((row) => toConnection(row, counts.get(row._id)!)), storage };
  }

  async create({ scope, principal, body }: InputOf<typeof createConnection>): Promise<Connection> {
    const { id, secret, ...given } = body;
    await this.sources.check(given.source);
    const made = newConnection({
      _id: id,
      orgId: scope.orgId,
      ...given,
      schedule: given.source.kind === 'upload' ? 'manual' : given.schedule,
      sealedSecret: this.sources.sealed(scope, given.source, secret) ?? null,
      createdAt: this.clock.now(),
      createdBy: { userId: principal.userId, name: principal.name },
    });
    const row = await this.work.run(principal, async (tx) => {
      const known = await this.connections.find(scope, id, tx);
      if (known) return known;
      const isSynced = given.source.kind !== 'upload';
      const { row: stored, isNew } = await this.connections.insert(
        scope,
        { ...made, syncState: isSynced ? 'waiting' : 'idle' },
        tx,
      );
      if (isNew) this.tell(tx, principal, { change: 'created', before: null, after: stored });
      return stored;
    });
    return this.shown(scope, row);
  }

  async change({ scope, principal, params, body }: InputOf<typeof changeConnection>): Promise<Connection> {
    const { version, secret, ...wish } = body;
    if (wish.source) await this.sources.check(wish.source);
    const changed = await this.work.run(principal, async (tx) => {
      const seen = await this.kept(scope, params.connectionId, tx);
      if (wish.source && wish.source.kind !== seen.source.kind)
        throw new Problem('platform.invalid-request', {
          errors: [{ path: 'body.source.kind', message: 'cannot be changed' }],
        });
      const set = {
        ...wish,
        ...this.sources.resealed(scope, { seen, source: wish.source, secret }),
        ...this.dueOf(seen, wish),
      };
      const row = await this.connections.change(
        scope,
        { _id: seen._id, version: version === 0 ? 1 : version },
        set,
        tx,
      );
      if (!row) throw new Problem('platform.conflict', { current: await this.shown(scope, seen) });
      this.tell(tx, principal, { change: 'changed', before: seen, after: row });
      return row;
    });
    return this.shown(scope, changed);
  }

  async delete({ scope, principal, params }: InputOf<typeof deleteConnection>): Promise<void> {
    await this.work.run(principal, async (tx) => {
      const seen = await this.find(scope, params.connectionId, tx);
      if (seen._id === defaultConnectionIdOf(scope.orgId))
        throw new Problem('platform.conflict', { detail: 'Every organisation keeps its connection for uploads.' });
      const gone = await this.connections.delete(scope, seen, tx);
      if (gone) this.tell(tx, principal, { change: 'deleted', before: seen, after: null });
    });
  }

  async sync({ scope, principal, params }: InputOf<typeof syncConnection>): Promise<Connection> {
    const seen = await this.find(scope, params.connectionId);
    if (seen.source.kind === 'upload')
      throw new Problem('platform.conflict', { detail: 'What is uploaded has no source to read again.' });
    const wanted = await this.work.run(principal, (tx) => this.connections.want(scope, seen._id, tx));
    return this.shown(scope, wanted ?? seen);
  }

  async decideRemoval({ scope, principal, params, body }: InputOf<typeof decideRemoval>): Promise<Connection> {
    const seen = await this.find(scope, params.connectionId);
    const row = await this.work.run(principal, async (tx) => {
      const answered = await this.connections.answer(scope, seen._id, tx);
      if (answered && seen.removal && body.remove) {
        const { orgId, _id: connectionId, name, removal } = seen;
        const { userId: by } = principal;
        tx.record(documentsManaged, { orgId, connectionId, name, by, change: 'deleted', count: removal.count });
      }
      return answered;
    });
    if (row && seen.removal && body.remove) await this.synced.removeUnseen(scope, seen._id, seen.removal.run);
    return this.shown(scope, row ?? seen);
  }

  async retry({
    scope,
    principal,
    params,
  }: InputOf<typeof retryConnection>): Promise<ResponseOf<typeof retryConnection>> {
    const { _id: id } = await this.find(scope, params.connectionId);
    const { count, isOfSource } = await this.synced.retryFailed(scope, id);
    if (isOfSource) await this.work.run(principal, (tx) => this.connections.want(scope, id, tx));
    return { count };
  }

  async listUses({
    scope,
    params,
  }: InputOf<typeof listConnectionUses>): Promise<ResponseOf<typeof listConnectionUses>> {
    const { _id: id } = await this.find(scope, params.connectionId);
    const [all, passages] = await Promise.all([this.chatbots.list(scope), this.documents.passageCount(scope, id)]);
    const used = all.map(({ _id, draft, published }) => ({ _id, content: published?.content ?? draft }));
    const named = used.filter(({ content }) => content.knowledge.connectionIds?.includes(id));
    return {
      items: named.map(({ _id, content: { name, glyph } }) => ({ id: _id, name, glyph })),
      everywhere: used.filter(({ content }) => content.knowledge.connectionIds === null).length,
      passages,
    };
  }

  private async shown(scope: OrganisationScope, row: ConnectionRow): Promise<Connection> {
    return toConnection(row, await this.documents.counts(scope, [row._id]));
  }

  private async find(scope: OrganisationScope, id: ConnectionId, tx?: Transaction): Promise<ConnectionRow> {
    const row = await this.connections.find(scope, id, tx);
    if (!row) throw new Problem('chat.connection-not-found');
    return row;
  }

  /** The row itself: that for uploads is made here. */
  private async kept(scope: OrganisationScope, id: ConnectionId, tx: Transaction): Promise<ConnectionRow> {
    const row = await this.find(scope, id, tx);
    if (row.version > 0) return row;
    return (await this.connections.insert(scope, { ...row, version: 1, createdAt: this.clock.now() }, tx)).row;
  }

  /** When it is next, with what is wished; a paused one waits for nothing. */
  private dueOf(
    seen: ConnectionRow,
    {
      schedule = seen.schedule,
      isPaused = seen.isPaused,
      source,
    }: Partial<Pick<ConnectionRow, 'schedule' | 'isPaused' | 'source'>>,
  ): Partial<Pick<ConnectionRow, 'nextSyncAt' | 'syncState' | 'queuedAt'>> {
    if (seen.source.kind === 'upload') return {};
    if (isPaused) return { nextSyncAt: null, ...(seen.syncState === 'waiting' && { syncState: 'idle' }) };
    const goesOn = seen.isPaused || source !== undefined;
    if (goesOn && seen.syncState === 'idle')
      return { syncState: 'waiting', nextSyncAt: null, queuedAt: this.clock.now() };
    if (schedule === seen.schedule) return {};
    return { nextSyncAt: nextSync({ schedule, source: seen.source }, { failures: 0, now: this.clock.now() }) };
  }

  /** For the organisation's audit log and the screens. */
  private tell(
    tx: Transaction,
    { userId: by }: Member,
    { change, before, after }: { change: Change; before: ConnectionRow | null; after: ConnectionRow | null },
  ): void {
    const { orgId, _id: connectionId, name, source } = (after ?? before)!;
    tx.record(connectionChanged, {
      orgId,
      connectionId,
      by,
      change,
      name,
      source: source.kind,
      before: before?.audience ?? null,
      after: after?.audience ?? null,
      was: before && setupOf(before),
      is: after && setupOf(after),
    });
  }
}

/** Leaves out the query of a URL, which can hold a secret, and adds the name of a bucket. */
function setupOf({ name, source, schedule, isPaused }: ConnectionRow): DataOf<typeof connectionChanged>['is'] {
  if (source.kind === 'upload') return { name, address: null, schedule, isPaused };
  const { origin, pathname } = new URL(source.kind === 'web' ? source.address : source.endpoint);
  const path = source.kind === 'web' ? pathname : `${pathname.replace(/\/$/, '')}/${source.bucket}`;
  return { name, address: origin + path, schedule, isPaused };
}
