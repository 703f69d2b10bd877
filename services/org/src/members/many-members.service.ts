import { Injectable } from '@nestjs/common';
import type {
  changeManyRoles,
  changeManyStatuses,
  endManyAccesses,
  ManyOutcome,
  PersonPrincipal,
} from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf, type UserId } from '@parley/protocol';
import { MemberActs, type ActBy } from './member-acts.ts';

type Person = { readonly userId: UserId; readonly version: number };
type Asked = {
  readonly scope: OrganisationScope;
  readonly principal: PersonPrincipal;
  readonly body: {
    readonly people: readonly Person[];
    readonly reason?: string | undefined;
    readonly isPreview: boolean;
  };
};
type Outcomes = ResponseOf<typeof changeManyRoles>;

/** Thrown at the end of what was only tried: its transaction is undone. */
class OnlyTried extends Error {}

/** The same act on many people, one transaction each. */
@Injectable()
export class ManyMembersService {
  constructor(
    private readonly acts: MemberActs,
    private readonly work: Work,
  ) {}

  roles(input: InputOf<typeof changeManyRoles>): Promise<Outcomes> {
    const { role } = input.body;
    return this.each(input, async (by, person) => {
      const row = await this.acts.changeable(by, person.userId);
      if (row.role !== role) await this.acts.giveRole(by, { ...person, role });
    });
  }

  statuses(input: InputOf<typeof changeManyStatuses>): Promise<Outcomes> {
    const { status } = input.body;
    return this.each(input, async (by, person) => {
      const row = await this.acts.changeable(by, person.userId);
      if (row.status !== status) await this.acts.setStatus(by, { ...person, status });
    });
  }

  endAccesses(input: InputOf<typeof endManyAccesses>): Promise<Outcomes> {
    const { id } = input.body;
    return this.each(input, (by, { userId }) => this.acts.endAccess(by, { userId, id }));
  }

  private async each(asked: Asked, act: (by: ActBy, person: Person) => Promise<void>): Promise<Outcomes> {
    const results: ManyOutcome[] = [];
    for (const person of asked.body.people)
      results.push({ userId: person.userId, code: await this.one(asked, person, act) });
    return { results };
  }

  /** Why the person stays as they are; null where it was done. What is no refusal ends the call: it may be repeated. */
  private async one(
    { scope, principal, body }: Asked,
    person: Person,
    act: (by: ActBy, person: Person) => Promise<void>,
  ): Promise<ManyOutcome['code']> {
    if (person.userId === principal.userId) return 'org.not-oneself';
    try {
      await this.work.run(principal, async (tx) => {
        await act({ scope, principal, tx, reason: body.reason ?? null }, person);
        if (body.isPreview) throw new OnlyTried();
      });
      return null;
    } catch (error) {
      if (error instanceof OnlyTried) return null;
      if (error instanceof Problem) return error.code;
      throw error;
    }
  }
}
