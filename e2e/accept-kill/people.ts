import { newId } from '@parley/platform/ids';
import { ParleyClient } from '@parley/testing/client';
import { PatientClient } from '../patient-client.ts';
import { Person, type PersonHabits } from './person.ts';

const password = 'three quiet herons';

export type Group = { readonly owner: ParleyClient; readonly members: readonly ParleyClient[] };

/** Two organisations, each with an owner who sets the provider up, and people who are to become its members. */
export async function foundGroups(url: string, providerAddress: string, membersEach: number): Promise<Group[]> {
  const groups: Group[] = [];
  for (const name of ['Herons', 'Kestrels']) {
    const owner = await register(url, `${name} owner`);
    await owner.createOrganisation(name);
    await owner.call('POST /api/chat/providers', {
      body: {
        id: newId('provider'),
        name: 'Mock',
        baseUrl: `http://${providerAddress}/v1`,
        models: ['mock'],
        defaultModel: 'mock',
        isDefault: true,
      },
    });
    const members: ParleyClient[] = [];
    for (let number = 1; number <= membersEach; number += 1)
      members.push(await register(url, `${name} member ${number}`));
    groups.push({ owner, members });
  }
  return groups;
}

async function register(url: string, name: string): Promise<ParleyClient> {
  const client = new ParleyClient(url);
  await client.register({ name, email: `${name.toLowerCase().replaceAll(' ', '-')}@example.com`, password });
  return client;
}

/** By a link, as people come in. */
export async function joinMembers(groups: readonly Group[]): Promise<void> {
  for (const { owner, members } of groups) {
    const place = { role: 'member' as const, groupIds: [], domain: null, places: members.length, days: 1 };
    const body = { id: newId('invitation'), label: 'Members', ...place };
    const { token } = await owner.call('POST /api/org/invitation-links', { body });
    for (const member of members) {
      await member.call('POST /api/org/my-invitations/accept', { body: { token } });
      member.orgId = owner.orgId;
    }
  }
}

export const signInAgain = (client: ParleyClient): Promise<ParleyClient> =>
  signInOn(new ParleyClient(client.url), client);

/** Signs the person in on a client that repeats what a busy product refuses for a moment: for what is judged. */
export const signInToJudge = (client: ParleyClient): Promise<ParleyClient> =>
  signInOn(new PatientClient(client.url), client);

async function signInOn(other: ParleyClient, client: ParleyClient): Promise<ParleyClient> {
  await other.signIn(client.me?.email ?? '', password);
  other.orgId = client.orgId;
  return other;
}

/** Of each group the owner has a second tab, the first member a second device, the others one tab. */
export async function toPeople(groups: readonly Group[], habits: Omit<PersonHabits, 'otherTabs'>): Promise<Person[]> {
  const people: Person[] = [];
  for (const { owner, members } of groups) {
    people.push(new Person(owner, { ...habits, otherTabs: [owner.copy()] }));
    for (const [index, member] of members.entries())
      people.push(new Person(member, { ...habits, otherTabs: index === 0 ? [await signInAgain(member)] : [] }));
  }
  return people;
}
