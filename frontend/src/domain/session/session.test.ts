import { beforeEach, describe, expect, it } from '@jest/globals';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { sampleMe } from '../../testing/samples.ts';
import { toProblem } from '../../lib/http.ts';
import { askWhetherSignedIn, checkSession, leaveSession } from './own-session.ts';
import { currentSession, endSession, loadSession, setSession } from './session.ts';

const leave = 'DELETE /api/auth/sessions/current';
const ask = (handlers: Handlers) => installFakeApi(handlers);

beforeEach(() => setSession({ status: 'signed-in', me: sampleMe }));

describe('the end of a session', () => {
  it('that came from elsewhere keeps how and when, whoever tells it again without knowing', () => {
    endSession(null);
    endSession('signed-out-everywhere', 5);
    endSession(null);
    expect(currentSession()).toEqual({ status: 'visitor', ended: { how: 'signed-out-everywhere', at: 5 } });
  });

  it('by a click on signing out is told apart, also when the socket tells it first', async () => {
    ask({
      [leave]: () => {
        endSession('signed-out', 5);
        return undefined;
      },
    });
    await leaveSession(leave);
    expect(currentSession()).toEqual({ status: 'visitor', hasLeft: true });
  });

  it('that could not be had leaves one signed in, and a later end is none of one’s own', async () => {
    ask({ [leave]: () => refuse('platform.internal') });
    await expect(leaveSession(leave)).rejects.toMatchObject({ code: 'platform.internal' });
    expect(currentSession().status).toBe('signed-in');
    endSession('signed-out');
    expect(currentSession()).toEqual({ status: 'visitor', ended: { how: 'signed-out', at: null } });
  });

  it('is what auth says, however often it is asked at once, and nothing that stands before Parley', async () => {
    let asked = 0;
    ask({ 'GET /api/auth/me': () => ((asked += 1), sampleMe) });
    await Promise.all([askWhetherSignedIn(), askWhetherSignedIn()]);
    expect([asked, currentSession().status]).toEqual([1, 'signed-in']);
    ask({ 'GET /api/auth/me': () => refuse('platform.unauthenticated') });
    await askWhetherSignedIn();
    expect(currentSession()).toEqual({ status: 'visitor', ended: { how: null, at: null } });
    expect(toProblem(401, 'Authorization required').code).toBe('bff.upstream-unavailable');
  });

  it('is found out by asking, which keeps one signed in where nobody answers', async () => {
    ask({ 'GET /api/auth/me': () => refuse('platform.unavailable') });
    await checkSession();
    expect(currentSession().status).toBe('signed-in');
    ask({ 'GET /api/auth/me': () => refuse('platform.unauthenticated') });
    await loadSession();
    expect(currentSession()).toEqual({ status: 'visitor', ended: { how: null, at: null } });
  });
});

it('an old cookie of which nothing is known makes a visitor like any other', async () => {
  setSession({ status: 'unknown' });
  ask({ 'GET /api/auth/me': () => refuse('platform.unauthenticated') });
  await loadSession();
  expect(currentSession()).toEqual({ status: 'visitor' });
});
