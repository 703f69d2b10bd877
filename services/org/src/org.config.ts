import { z } from 'zod';

/** What org reads from its surroundings. */
export const orgConfig = z.object({
  PARLEY_ORGANISATIONS_PER_PERSON: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(5)
    .describe('How many organisations a person can own that they created; platform admins have no limit.'),
});

/** Settings of a running org service. */
export abstract class OrgSettings {
  abstract readonly organisationsPerPerson: number;
}

/** Settings as read. */
export const orgSettings = (config: z.infer<typeof orgConfig>): OrgSettings => ({
  organisationsPerPerson: config.PARLEY_ORGANISATIONS_PER_PERSON,
});
