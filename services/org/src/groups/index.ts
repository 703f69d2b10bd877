import { createGroup, deleteGroup, listGroupMembers, listGroups, renameGroup } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { rightsFeature } from '../rights/index.ts';
import { GroupsRepository } from './groups.repository.ts';
import { GroupsService } from './groups.service.ts';

export const groupsFeature = feature({
  routes: {
    list: listGroups,
    create: createGroup,
    rename: renameGroup,
    delete: deleteGroup,
    listMembers: listGroupMembers,
  },
  handlers: GroupsService,
  providers: [GroupsRepository],
  imports: [rightsFeature],
  exports: [GroupsRepository],
});

export { groupQuota } from './group-quota.ts';
export { GroupsRepository } from './groups.repository.ts';
export { groupRows } from './group.collection.ts';
