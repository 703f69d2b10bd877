import { Module } from '@nestjs/common';
import { OrganisationsController } from './organisations.controller.ts';
import { OrganisationsRepository } from './organisations.repository.ts';
import { OrganisationsService } from './organisations.service.ts';

@Module({ controllers: [OrganisationsController], providers: [OrganisationsService, OrganisationsRepository] })
export class OrganisationsModule {}
