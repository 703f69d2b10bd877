export { OrganisationCalls, type OrganisationFacts } from './organisation-calls.ts';
