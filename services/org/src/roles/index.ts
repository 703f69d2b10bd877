import { createRole, deleteRole, listRoles, updateRole } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { invitingFeature } from '../invitations/index.ts';
import { rightsFeature } from '../rights/index.ts';
import { RolesService } from './roles.service.ts';

export const rolesFeature = feature({
  routes: { list: listRoles, create: createRole, update: updateRole, delete: deleteRole },
  handlers: RolesService,
  imports: [rightsFeature, invitingFeature],
});
