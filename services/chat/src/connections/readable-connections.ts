import { Injectable } from '@nestjs/common';
import { allows, isFor, mostConnections, type ConnectionId, type Somebody } from '@parley/contracts';
import { Mongo, type OrganisationScope, type Rows } from '@parley/platform/mongo';
import type { Member } from '@parley/platform/service';
import { connectionRows } from './connection.collection.ts';
import { defaultConnectionIdOf } from './default-connection.ts';

/**
 * Which data connections somebody may read: the one place that says so, for answers, lists, passages and searches. It
 * is asked anew each time, so that a changed audience counts with the next question.
 */
@Injectable()
export class ReadableConnections {
  private readonly connections: Rows<typeof connectionRows>;

  constructor(mongo: Mongo) {
    this.connections = mongo.rows(connectionRows);
  }

  async of(scope: OrganisationScope, reader: Somebody): Promise<ConnectionId[]> {
    return (await this.all(scope)).filter(({ audience }) => isFor(audience, reader)).map(({ id }) => id);
  }

  /** Whose documents stand in lists: those that somebody may read. Whoever manages connections sees all, not their text. */
  async listed(scope: OrganisationScope, member: Member): Promise<ConnectionId[]> {
    if (!allows({ userId: member.userId, ...member.organisation }, 'data_connection:manage'))
      return this.of(scope, member);
    return (await this.all(scope)).map(({ id }) => id);
  }

  private async all(scope: OrganisationScope) {
    const { orgId } = scope;
    const rows = await this.connections
      .within(scope)
      .find({ orgId }, { limit: mostConnections + 1, fields: ['audience'] });
    const all = rows.map(({ _id: id, audience }) => ({ id, audience }));
    const first = { id: defaultConnectionIdOf(orgId), audience: { kind: 'everybody' } as const };
    return all.some(({ id }) => id === first.id) ? all : [first, ...all];
  }
}
