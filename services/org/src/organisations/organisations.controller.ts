import { Controller } from '@nestjs/common';
import {
  createOrganisation,
  getMembership,
  listOrganisations,
  listOrgRevocations,
  Problem,
  renameOrganisation,
  type Organisation,
  type ResponseOf,
} from '@parley/contracts';
import { RevocationLog } from '@parley/platform/revocations';
import { Input, Route, type InputOf } from '@parley/platform/service';
import { OrganisationsService } from './organisations.service.ts';

@Controller()
export class OrganisationsController {
  constructor(
    private readonly organisations: OrganisationsService,
    private readonly revocations: RevocationLog,
  ) {}

  @Route(createOrganisation)
  create(@Input() { scope, principal, body }: InputOf<typeof createOrganisation>): Promise<Organisation> {
    return this.organisations.create(scope, principal, body);
  }

  @Route(listOrganisations)
  list(@Input() { scope, query }: InputOf<typeof listOrganisations>): Promise<ResponseOf<typeof listOrganisations>> {
    return this.organisations.list(scope, query);
  }

  @Route(renameOrganisation)
  rename(@Input() { scope, principal, params, body }: InputOf<typeof renameOrganisation>): Promise<Organisation> {
    if (params.orgId !== scope.orgId) throw new Problem('org.organisation-not-found');
    return this.organisations.rename(scope, principal, body);
  }

  @Route(getMembership)
  membership(@Input() { scope, params }: InputOf<typeof getMembership>): Promise<ResponseOf<typeof getMembership>> {
    return this.organisations.membership(scope.in(params.orgId), params.userId);
  }

  @Route(listOrgRevocations)
  listRevocations(
    @Input() { query }: InputOf<typeof listOrgRevocations>,
  ): Promise<ResponseOf<typeof listOrgRevocations>> {
    return this.revocations.list(query.after);
  }
}
