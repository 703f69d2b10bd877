import { newId } from '@parley/platform/ids';
import { describeCountedQuota } from '@parley/testing';
import { groupQuota } from './groups/index.ts';
import { invitationQuota } from './invitations/index.ts';
import { asked, founded, orgSetup, tests } from './org.spec-setup.ts';
import { roleQuota } from './rights/index.ts';

const setup = await orgSetup();
const { mongo } = setup;
const begun = async () => {
  const { orgId, owner } = await founded(setup);
  return { owner, scope: tests.in(orgId) };
};

describeCountedQuota({ mongo, quota: 'groups', counted: [groupQuota] }, async () => {
  const { owner, scope } = await begun();
  const make = () => {
    const id = newId('group');
    return setup.groups.create(asked(owner, { body: { id, name: id } }));
  };
  const remove = ({ id: groupId }: Awaited<ReturnType<typeof make>>) =>
    setup.groups.delete(asked(owner, { params: { groupId } }));
  return { scope, make, remove };
});

describeCountedQuota({ mongo, quota: 'roles', counted: [roleQuota] }, async () => {
  const { owner, scope } = await begun();
  const make = () => {
    const id = newId('role');
    return setup.roles.create(asked(owner, { body: { id, name: id, permissions: [] } }));
  };
  const remove = ({ id: roleId }: Awaited<ReturnType<typeof make>>) =>
    setup.roles.delete(asked(owner, { params: { roleId }, query: { replacement: 'member' } }));
  return { scope, make, remove };
});

describeCountedQuota({ mongo, quota: 'invitations', counted: [invitationQuota] }, async () => {
  const { owner, scope } = await begun();
  const make = async () => {
    const id = newId('invitation');
    const people = [{ id, email: `${id.toLowerCase()}@example.com` }];
    const body = { people, role: 'member', groupIds: [], message: null, locale: 'en', days: 7 };
    return (await setup.inviting.invite(asked(owner, { body }))).items[0]!;
  };
  const remove = ({ id: invitationId, version }: Awaited<ReturnType<typeof make>>) =>
    setup.inviting.revoke(asked(owner, { params: { invitationId }, body: { version } }));
  return { scope, make, remove };
});
