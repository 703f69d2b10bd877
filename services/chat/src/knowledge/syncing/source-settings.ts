import { Injectable } from '@nestjs/common';
import type { ConnectionSource } from '@parley/contracts';
import { Sealer } from '@parley/platform/crypto';
import type { OrganisationScope } from '@parley/platform/mongo';
import { Problem } from '@parley/protocol';
import type { ConnectionRow } from '../connections/index.ts';
import { Outbound } from '../../assistants/models/index.ts';
import { isInScope } from './site-scope.ts';

/** What secrets of sources are sealed for: one that is sealed for something else does not open as one of them. */
const purpose = 'source-secret';
type Kept = Pick<ConnectionRow, 'source' | 'sealedSecret'>;

/** What people say of a source: whether it may be called, and its secret, which is bound to its host and its account. */
@Injectable()
export class SourceSettings {
  constructor(
    private readonly outbound: Outbound,
    private readonly sealer: Sealer,
  ) {}

  /** Refuses what no schema says of it, and an address that could not be called now. */
  async check(source: ConnectionSource): Promise<void> {
    if (source.kind === 'upload') return;
    checkStart(source);
    await this.outbound.sources.check(source.kind === 'web' ? source.address : source.endpoint);
  }

  /** What is to be kept of a secret; undefined where none was given. */
  sealed(scope: OrganisationScope, source: ConnectionSource, secret: string | undefined): string | undefined {
    if (source.kind !== 'bucket' || secret === undefined) return undefined;
    return this.sealer.seal(secret, scope.orgId, purpose);
  }

  /** As `sealed`, for a connection that has one; another host or account needs it again. */
  resealed(
    scope: OrganisationScope,
    { seen, source, secret }: { seen: Kept; source: ConnectionSource | undefined; secret: string | undefined },
  ): { sealedSecret?: string } {
    const sealedSecret = this.sealed(scope, source ?? seen.source, secret);
    if (sealedSecret !== undefined) return { sealedSecret };
    if (source?.kind === 'bucket' && !mayKeep(seen.source, source))
      throw new Problem('platform.invalid-request', {
        detail: 'The address leads to another host: give the secret again.',
        errors: [{ path: 'body.secret', message: 'needed for another host' }],
      });
    return {};
  }

  /** Null where there is none. */
  open({ orgId }: OrganisationScope, { sealedSecret }: Pick<Kept, 'sealedSecret'>): string | null {
    return sealedSecret === null ? null : this.sealer.open(sealedSecret, orgId, purpose);
  }

  /** That which is kept, for a source that is of the same host and account; else null. */
  openFor(scope: OrganisationScope, kept: Kept, source: ConnectionSource): string | null {
    return mayKeep(kept.source, source) ? this.open(scope, kept) : null;
  }
}

export function checkStart(source: ConnectionSource): void {
  if (source.kind !== 'web' || source.start !== 'page' || isInScope(source, source.address)) return;
  throw new Problem('platform.invalid-request', {
    errors: [{ path: 'body.source.below', message: 'the start has to lie at this path or below it' }],
  });
}

const mayKeep = (before: ConnectionSource, after: ConnectionSource): boolean =>
  before.kind === 'bucket' &&
  after.kind === 'bucket' &&
  new URL(before.endpoint).host === new URL(after.endpoint).host &&
  before.accessKeyId === after.accessKeyId;
