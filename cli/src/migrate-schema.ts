import { authParts } from '@parley/auth';
import { billingParts } from '@parley/billing';
import { chatConfig, chatParts, chatSettings } from '@parley/chat';
import { monitoringParts } from '@parley/monitoring';
import { orgConfig, orgParts, orgSettings } from '@parley/org';
import { databaseUrl } from '@parley/platform/process-config';
import { SchemaMigration, type ReportProgress } from '@parley/platform/schema';
import { withOwner, type OwnerParts } from '@parley/platform/service';
import { operatorPlatform } from './operator-platform.ts';

/** Whoever owns a database. */
export const owners: Readonly<Record<'auth' | 'org' | 'chat' | 'billing' | 'monitoring', OwnerParts>> = {
  auth: authParts({ registration: 'closed', registrationsPerHour: 20, setupToken: null }),
  org: orgParts(orgSettings(orgConfig.parse({}))),
  chat: chatParts(chatSettings(chatConfig.parse({}), { workers: 0 })),
  billing: billingParts,
  monitoring: monitoringParts({ mayEverybodyTest: false, hasDsn: false, outboundAllow: [] }),
};
export type Owner = keyof typeof owners;
export const ownerNames = Object.keys(owners) as Owner[];

/** The migration of one service's database, with all of its models known. */
export async function withMigration<Result>(
  { url, owner, report }: { readonly url: string; readonly owner: Owner; readonly report?: ReportProgress | undefined },
  work: (migration: SchemaMigration) => Promise<Result>,
): Promise<Result> {
  return withOwner(await operatorPlatform(databaseUrl(url, owner), owner), owners[owner], ({ mongo }) =>
    work(new SchemaMigration(mongo, owners[owner].dataMigrations ?? [], { report })),
  );
}

/**
 * Brings every service's database to what this version needs; several at the same time do it once. Says what it did, and
 * `report` what it does meanwhile.
 */
export async function migrateSchema(mongoUrl: string, report: ReportProgress): Promise<string[]> {
  return Promise.all(
    ownerNames.map((owner) =>
      withMigration(
        { url: mongoUrl, owner, report },
        async (migration) => `${owner}: ${(await migration.apply()) ? 'made' : 'is at'} schema ${migration.version}`,
      ),
    ),
  );
}
