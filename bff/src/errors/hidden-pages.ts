import { listErrorTests, type Page } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import type { Platform } from '@parley/platform/service';
import type { IncomingMessage } from 'node:http';
import type { BffSettings } from '../bff-settings.ts';
import { readSessionId } from '../session/cookie.ts';
import type { Principals } from '../session/principals.ts';

type Parts = {
  readonly platform: Pick<Platform, 'peers'>;
  readonly settings: Pick<BffSettings, 'isInsecureHttp'>;
  readonly principals: Principals;
};
/** Whether there is no such page for who asks. */
export type IsHidden = (page: Page, request: Pick<IncomingMessage, 'headers'>) => Promise<boolean>;

/** The pages of error tests are not there for whoever may make none; visitors are asked to sign in, as everywhere. */
export const errorTestsHidden =
  ({ platform, settings, principals }: Parts): IsHidden =>
  async ({ feature }, { headers }) => {
    if (feature !== 'error-test' && feature !== 'page-failure') return false;
    const sessionId = readSessionId(headers.cookie, settings.isInsecureHttp);
    if (sessionId === null) return false;
    try {
      const principal = await principals.principal(await principals.session(sessionId), null);
      const personToken = await principals.token(principal, 'monitoring');
      await platform.peers.call(listErrorTests, {}, { personToken, deadlineMs: 5_000, failMode: 'refuse' });
      return false;
    } catch (error) {
      return error instanceof Problem && error.code === 'platform.not-found';
    }
  };
