import { Injectable } from '@nestjs/common';
import { passwordChanged, Problem } from '@parley/contracts';
import type { PersonScope, Transaction } from '@parley/platform/mongo';
import { hashPassword, isTooCommon, type PasswordOwner } from '../passwords/index.ts';
import { SessionsService } from '../sessions/index.ts';
import { UsersRepository } from '../users/index.ts';
import { ResetLinks } from './reset-links.ts';

/** What every change of a password does. */
@Injectable()
export class PasswordSetting {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly links: ResetLinks,
  ) {}

  /** The hash to be stored. A password that guessers try first is `auth.password-too-common`. */
  async hash(password: string, owner: PasswordOwner): Promise<string> {
    if (await isTooCommon(password, owner))
      throw new Problem('auth.password-too-common', {
        detail: 'Choose one that is harder to guess, for instance four unrelated words.',
      });
    return hashPassword(password);
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
