import {
  changeManyRoles,
  changeManyStatuses,
  changeMemberGroups,
  changeMemberRole,
  changeMemberStatus,
  checkAccess,
  endManyAccesses,
  findMembers,
  getSeats,
  leaveOrganisation,
  listHolders,
  listMembers,
  removeMember,
  transferOwnership,
} from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { groupsFeature } from '../groups/index.ts';
import { rightsFeature } from '../rights/index.ts';
import { LeavingService } from './leaving.service.ts';
import { ManyMembersService } from './many-members.service.ts';
import { MemberActs } from './member-acts.ts';
import { MemberList } from './member-list.ts';
import { MembersConsumer } from './members.consumer.ts';
import { MembersService } from './members.service.ts';
import { PersonCopies } from './person-copies.ts';

export const membersFeature = feature({
  routes: {
    seats: getSeats,
    changeRole: changeMemberRole,
    changeStatus: changeMemberStatus,
    changeGroups: changeMemberGroups,
    access: checkAccess,
  },
  handlers: MembersService,
  consumers: [MembersConsumer],
  providers: [MemberActs, PersonCopies],
  imports: [rightsFeature, groupsFeature],
});

export const memberListFeature = feature({
  routes: { list: listMembers, find: findMembers, holders: listHolders },
  handlers: MemberList,
  imports: [rightsFeature],
});

export const leavingFeature = feature({
  routes: { remove: removeMember, leave: leaveOrganisation, transfer: transferOwnership },
  handlers: LeavingService,
  imports: [rightsFeature, groupsFeature],
});

export const manyMembersFeature = feature({
  routes: { roles: changeManyRoles, statuses: changeManyStatuses, endAccesses: endManyAccesses },
  handlers: ManyMembersService,
  providers: [MemberActs],
  imports: [rightsFeature],
});
