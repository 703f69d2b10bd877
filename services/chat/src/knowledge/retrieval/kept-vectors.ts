import { quotaLimits, type ModelKey } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import type { OrganisationScope, Rows } from '@parley/platform/mongo';
import type { passageVectorRows } from './passage-vector.collection.ts';
import { VectorSet } from './vector-set.ts';

/** So large may the vectors of one organisation be; passages beyond it get none. */
export const mostVectorBytes = quotaLimits.vectors.ceiling;
/** So large are those that one process keeps, of all organisations; whoever was asked longest ago goes first. */
const mostBytesKept = 3 * mostVectorBytes;
/** Read at once: no more than some hundred rows. */
const revisionsPerRead = 8;

/** A batch of vectors that one model has made. */
export type Made = {
  readonly of: ModelKey;
  /** The last batch there is. */
  readonly revision: number;
  readonly vectors: readonly (readonly number[])[];
};
type Loaded = { readonly of: ModelKey; revision: number; set: VectorSet; loading: Promise<unknown> };

/** The vectors of the organisations that were asked of late, in memory. Each batch is read once. */
export class KeptVectors {
  private readonly byOrganisation = new Map<OrgId, Loaded>();

  constructor(private readonly rows: Rows<typeof passageVectorRows>) {}

  /** Null where there are none. Calls that come together read once. */
  async of(scope: OrganisationScope, { of, revision }: Pick<Made, 'of' | 'revision'>): Promise<VectorSet | null> {
    const { orgId } = scope;
    const known = this.byOrganisation.get(orgId);
    const loaded: Loaded =
      known?.of === of && known.set.byteLength <= mostVectorBytes * 1.25
        ? known
        : { of, revision: 0, set: new VectorSet(0), loading: Promise.resolve() };
    this.byOrganisation.delete(orgId);
    this.byOrganisation.set(orgId, loaded);
    loaded.loading = loaded.loading.catch(() => undefined).then(() => this.readTo(scope, loaded, revision));
    await loaded.loading;
    this.dropOldest();
    return loaded.set.size === 0 ? null : loaded.set;
  }

  private async readTo(scope: OrganisationScope, loaded: Loaded, revision: number): Promise<void> {
    const { of } = loaded;
    while (loaded.revision < revision) {
      const upTo = Math.min(loaded.revision + revisionsPerRead, revision);
      const rows = await this.rows
        .within(scope)
        .find(
          { orgId: scope.orgId, of, revision: { $gt: loaded.revision, $lte: upTo } },
          { fields: ['connectionId', 'vector'] },
        );
      for (const { _id, connectionId, vector } of rows) {
        const bytes = Int8Array.from(Int8Array.from(vector.buffer).subarray(0, vector.length()));
        if (loaded.set.size === 0) loaded.set = new VectorSet(bytes.length);
        loaded.set.add(_id, connectionId, bytes);
      }
      loaded.revision = upTo;
    }
  }

  private dropOldest(): void {
    let bytes = [...this.byOrganisation.values()].reduce((sum, { set }) => sum + set.byteLength, 0);
    for (const [orgId, { set }] of this.byOrganisation) {
      if (bytes <= mostBytesKept || this.byOrganisation.size === 1) return;
      bytes -= set.byteLength;
      this.byOrganisation.delete(orgId);
    }
  }
}
