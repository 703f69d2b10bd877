import { Injectable } from '@nestjs/common';
import { getMembership, searchTested, type Somebody, type testSearch } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import { Platform, type InputOf, type Member } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import type { ResponseOf, UserId } from '@parley/protocol';
import { ReadableConnections } from '../connections/index.ts';
import { PassageSearch } from '../embeddings/index.ts';

const mostShown = 10;
const asking = { deadlineMs: 2_000, failMode: 'refuse' } as const;

/** Looks for passages as answers do, by the rights of whoever asks or of another member. */
@Injectable()
export class SearchTester {
  constructor(
    private readonly readable: ReadableConnections,
    private readonly documents: PassageSearch,
    private readonly work: Work,
    private readonly platform: Platform,
  ) {}

  async test({ scope, principal, body }: InputOf<typeof testSearch>): Promise<ResponseOf<typeof testSearch>> {
    const { text, as, connectionId } = body;
    const isOther = as !== undefined && as !== principal.userId;
    const reader = isOther ? await this.other(scope, as) : principal;
    if (isOther) await this.tell(scope, principal, as);
    const began = performance.now();
    const readable = await this.readable.of(scope, reader);
    const within = connectionId ? readable.filter((id) => id === connectionId) : readable;
    const { groupIds = [] } = principal.organisation;
    const asker = { userId: principal.userId, groupIds, chatbotId: null };
    const passages = await this.documents.find(scope, within, { text, asker, most: mostShown });
    return {
      passages: passages.map(({ coverage: _coverage, similarity: _similarity, place, ranks, ...passage }) => ({
        ...passage,
        ...(place && { place }),
        ranks: ranks ?? null,
      })),
      connections: within.length,
      milliseconds: Math.round(performance.now() - began),
    };
  }

  /** With the role and the groups of now. Whoever is no member is not found. */
  private async other({ orgId }: OrganisationScope, userId: UserId): Promise<Somebody> {
    const { role, groupIds = [] } = await this.platform.peers.call(
      getMembership,
      { params: { orgId, userId } },
      asking,
    );
    return { userId, organisation: { role, groupIds: [...groupIds] } };
  }

  /** Written down before anything is shown. */
  private tell({ orgId }: OrganisationScope, principal: Member, userId: UserId): Promise<void> {
    return this.work.run(principal, async (tx) => tx.record(searchTested, { orgId, by: principal.userId, userId }));
  }
}
