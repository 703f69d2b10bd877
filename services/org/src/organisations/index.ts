export { OrganisationsModule } from './organisations.module.ts';
