import { Injectable } from '@nestjs/common';
import { confirmedUntil, type confirmSession, type getConfirmation } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Counts } from '@parley/platform/counts';
import { Mongo, type Rows } from '@parley/platform/mongo';
import { Platform, type InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { networkHeader, Problem, type ResponseOf } from '@parley/protocol';
import { verifyPassword } from '../passwords/index.ts';
import { SecurityLog } from '../security-log/index.ts';
import { UsersRepository } from '../users/index.ts';
import { sessionRows } from './session.collection.ts';

type Confirmation = ResponseOf<typeof getConfirmation>;

/** A session opens what is sensitive for ten minutes after its password was entered. */
@Injectable()
export class ConfirmationService {
  private readonly sessions: Rows<typeof sessionRows>;

  constructor(
    mongo: Mongo,
    private readonly users: UsersRepository,
    private readonly counts: Counts,
    private readonly log: SecurityLog,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly platform: Platform,
  ) {
    this.sessions = mongo.rows(sessionRows);
  }

  async read({ scope, principal }: InputOf<typeof getConfirmation>): Promise<Confirmation> {
    const session = await this.sessions.within(scope).findById(principal.sessionKey);
    return this.until(session && (session.confirmedAt ?? session.createdAt));
  }

  /** Attempts are counted together with those to change the password. */
  async confirm({ scope, principal, body, request }: InputOf<typeof confirmSession>): Promise<Confirmation> {
    const { userId } = scope;
    const network = request.header(networkHeader) || null;
    const counted = await this.counts.attempt('password', userId);
    const passwordHash = await this.users.passwordHash(scope);
    if (!(await verifyPassword(body.password, passwordHash))) {
      await this.recordWrong(scope, network);
      throw new Problem('auth.password-wrong');
    }
    await counted.forget();
    const confirmedAt = this.clock.now();
    await this.work.run(principal, async (tx) => {
      // Comparing takes long enough for the password to be changed meanwhile.
      if ((await this.users.passwordHash(scope, tx)) !== passwordHash) throw new Problem('auth.password-wrong');
      const confirmed = await this.sessions
        .within(scope, tx)
        .update({ _id: principal.sessionKey }, { $set: { confirmedAt } });
      if (!confirmed) throw new Problem('platform.unauthenticated');
      await this.log.record(tx, { kind: 'password-confirmed', userId, network });
    });
    return this.until(confirmedAt);
  }

  private until(confirmedAt: Date | null): Confirmation {
    return { confirmedUntil: confirmedUntil(confirmedAt?.toISOString(), this.clock.now())?.toISOString() ?? null };
  }

  /** A log that can't be written changes no answer. */
  private async recordWrong(scope: InputOf<typeof confirmSession>['scope'], network: string | null): Promise<void> {
    try {
      const user = await this.users.findById(scope);
      if (user) await this.log.countFailure({ email: user.email, userId: user.id, network });
    } catch (error) {
      this.platform.logger.warn({ err: error }, 'a wrong password was not recorded in the security log');
    }
  }
}
