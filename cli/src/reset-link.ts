import { makeResetLink } from '@parley/auth';
import { readConfig } from '@parley/platform/config';
import { publicUrl } from '@parley/platform/process-config';
import { z } from 'zod';
import { openDatabases } from './databases.ts';
import { operatorPlatform } from './operator-platform.ts';

const settings = z.object({
  PARLEY_PUBLIC_URL: publicUrl.optional(),
  PARLEY_PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
});

/** What would be mailed to somebody who has forgotten the password; earlier links of that person end. */
export async function printResetLink(
  address: string,
  options: { readonly data?: string; readonly publicUrl?: string },
): Promise<string[]> {
  const site = siteOf(options);
  const databases = await openDatabases(options.data);
  try {
    const platform = await operatorPlatform(databases.uriOf('auth'), 'auth');
    const { token, locale, endsAt } = await makeResetLink(platform, address);
    return [
      `${site}/${locale}/reset-password#${token}`,
      `It works once, until ${endsAt.toISOString()}. Give it to nobody but the owner of ${address}.`,
    ];
  } finally {
    await databases.close();
  }
}

/** A data folder is usually served on this machine; where a distributed installation is, only its operator knows. */
function siteOf({ data, publicUrl: given }: { readonly data?: string; readonly publicUrl?: string }): string {
  const overrides: Record<string, string> = given === undefined ? {} : { PARLEY_PUBLIC_URL: given };
  const { PARLEY_PUBLIC_URL: url, PARLEY_PORT: port } = readConfig(settings, overrides);
  if (url !== undefined) return url.replace(/\/$/, '');
  if (data === undefined) throw new Error('Say where people reach Parley: --public-url, or PARLEY_PUBLIC_URL.');
  return `http://localhost:${port}`;
}
