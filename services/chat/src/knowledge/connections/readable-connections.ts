import { Injectable } from '@nestjs/common';
import { allows, isFor, type ConnectionId, type Somebody } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { Member } from '@parley/platform/service';
import { ConnectionsRepository } from './connections.repository.ts';

/**
 * Which data connections somebody may read: the one place that says so, for answers, lists, passages and searches. It
 * is asked each time, so that a changed audience counts with the next question.
 */
@Injectable()
export class ReadableConnections {
  constructor(private readonly connections: ConnectionsRepository) {}

  async of(scope: OrganisationScope, reader: Somebody): Promise<ConnectionId[]> {
    return (await this.named(scope, reader)).map(({ id }) => id);
  }

  /** As `of`, with their names. That for uploads is the first, without a name unless somebody has given it one. */
  async named(
    scope: OrganisationScope,
    reader: Somebody,
  ): Promise<{ readonly id: ConnectionId; readonly name: string }[]> {
    const all = await this.connections.list(scope);
    return all.filter(({ audience }) => isFor(audience, reader)).map(({ _id: id, name }) => ({ id, name }));
  }

  /** Whose documents stand in lists: those that somebody may read. Whoever manages connections sees all, not their text. */
  async listed(scope: OrganisationScope, member: Member): Promise<ConnectionId[]> {
    if (!allows({ userId: member.userId, ...member.organisation }, 'data_connection:manage'))
      return this.of(scope, member);
    return (await this.connections.list(scope)).map(({ _id }) => _id);
  }
}
