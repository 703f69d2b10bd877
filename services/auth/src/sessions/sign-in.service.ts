import { Injectable } from '@nestjs/common';
import { networkHeader, Problem, type Me, type signIn } from '@parley/contracts';
import { jobScope } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { AuthSettings } from '../auth.config.ts';
import { verifyPassword } from '../passwords/index.ts';
import { Tries } from '../tries/index.ts';
import { toMe, UsersRepository } from '../users/index.ts';
import { browserOf } from './session.ts';
import { SessionsService } from './sessions.service.ts';

const signingIn = jobScope('signing in');
const limit = { most: 10, detail: 'Too many wrong tries for this account from your network.' };

@Injectable()
export class SignInService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly work: Work,
    private readonly tries: Tries,
    private readonly settings: AuthSettings,
  ) {}

  /**
   * One answer and one duration for a wrong password and an unknown address; ten wrong tries per account, network and
   * quarter of an hour.
   */
  async signIn({ body, request, startSession }: InputOf<typeof signIn>): Promise<Me> {
    const { email, password } = body;
    // Counted where counting works; a wrong password costs a slow hash in any case.
    // By network too: whoever guesses from elsewhere locks nobody out.
    const network = request.header(networkHeader) ?? '';
    const counted = await this.tries.count('sign-in', `${email} ${network}`, limit);
    const user = await this.users.findByEmail(signingIn, email);
    if (!(await verifyPassword(password, user?.passwordHash ?? null)) || !user)
      throw new Problem('auth.invalid-credentials');
    const own = signingIn.of(user.id);
    const session = await this.work.run(job('signs in', { onBehalfOf: user.id }), async (tx) => {
      // Comparing takes long enough for the password to be changed meanwhile, which ends all sessions but not this one.
      if ((await this.users.passwordHash(own, tx)) !== user.passwordHash) throw new Problem('auth.invalid-credentials');
      return this.sessions.start(own, tx, browserOf(request));
    });
    await counted.forget();
    const { passwordHash: _passwordHash, ...person } = user;
    startSession(session.id);
    return toMe(person, { registration: this.settings.registration, defaultOrgId: session.defaultOrgId });
  }
}
