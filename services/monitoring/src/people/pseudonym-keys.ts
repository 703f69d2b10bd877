import { Injectable } from '@nestjs/common';
import type { OrgId } from '@parley/protocol';
import { Mongo, type OrganisationScope, type Rows } from '@parley/platform/mongo';
import { pseudonymKeyRows } from './pseudonym-key.collection.ts';
import { newPseudonymKey } from './pseudonym.ts';

const mostKept = 10_000;

/** The key of each organisation, made when the first of its people is counted. It never leaves monitoring. */
@Injectable()
export class PseudonymKeys {
  private readonly rows: Rows<typeof pseudonymKeyRows>;
  private readonly kept = new Map<OrgId, string>();

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(pseudonymKeyRows);
  }

  /** In no transaction: a key that was given stays, whatever becomes of what it was wanted for. */
  async of(scope: OrganisationScope): Promise<string> {
    const { orgId } = scope;
    const kept = this.kept.get(orgId);
    if (kept !== undefined) return kept;
    const { row } = await this.rows.within(scope).insertOnce({ _id: orgId, orgId, key: newPseudonymKey() });
    if (this.kept.size >= mostKept) this.kept.clear();
    this.kept.set(orgId, row.key);
    return row.key;
  }
}
