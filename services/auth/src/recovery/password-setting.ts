import { Injectable } from '@nestjs/common';
import { getOrganisationFacts, passwordChanged } from '@parley/contracts';
import { jobScope, type PersonScope, type Transaction } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { Problem, type UserId } from '@parley/protocol';
import { hashPassword, isTooCommon, type PasswordOwner } from '../passwords/index.ts';
import { SessionsService } from '../sessions/index.ts';
import { UsersRepository } from '../users/index.ts';
import { ResetLinks } from './reset-links.ts';

const choosing = jobScope('a new password is held against the name of the organisation');
const asking = { deadlineMs: 1_000, failMode: { otherwise: null } } as const;

/** What every change of a password does. */
@Injectable()
export class PasswordSetting {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly links: ResetLinks,
    private readonly platform: Platform,
  ) {}

  /** The hash to be stored. A password that guessers try first is `auth.password-too-common`. */
  async hash(password: string, owner: PasswordOwner & { readonly id: UserId }): Promise<string> {
    const organisation = await this.organisationOf(owner.id);
    if (await isTooCommon(password, { ...owner, organisation }))
      throw new Problem('auth.password-too-common', {
        detail: 'Choose one that is harder to guess, for instance four unrelated words.',
      });
    return hashPassword(password);
  }

  /** Null where the person has none, or org doesn't answer: nobody is kept from a new password by that. */
  private async organisationOf(userId: UserId): Promise<string | null> {
    const orgId = await this.sessions.latestOrganisation(choosing.of(userId));
    if (orgId === null) return null;
    const facts = await this.platform.peers.call(getOrganisationFacts, { params: { orgId } }, asking).catch(() => null);
    return facts?.name ?? null;
  }

  /** Stores it, ends every session but the one to be kept, and every link; tells how many sessions have ended. */
  async set(
    tx: Transaction,
    scope: PersonScope,
    { passwordHash, by, keep }: { passwordHash: string; by: 'link' | 'password'; keep: string | null },
  ): Promise<number> {
    await this.users.setPassword(scope, passwordHash, tx);
    await this.links.endAll(tx, scope);
    const ended = await this.sessions.endAll(tx, scope, { keep, reason: 'password-changed' });
    tx.record(passwordChanged, { userId: scope.userId, by });
    return ended;
  }
}
