import { describe, expect, test } from '@jest/globals';
import { endedCookie, readSessionId, sessionCookie } from './cookie.ts';

const id = 'a'.repeat(43);

describe('the cookie', () => {
  test('is bound to this host, to encrypted connections, and out of reach of scripts', () => {
    const cookie = sessionCookie(id, false);
    expect(cookie.startsWith(`__Host-parley-session=${id};`)).toBe(true);
    for (const attribute of ['Path=/', 'HttpOnly', 'SameSite=Lax', 'Secure', 'Max-Age=2592000'])
      expect(cookie.split('; ')).toContain(attribute);
    expect(cookie).not.toContain('Domain');
  });

  test('loses prefix and Secure only where plain http was asked for', () => {
    expect(sessionCookie(id, true)).not.toMatch(/__Host-|Secure/);
    expect(readSessionId(`parley-session=${id}`, true)).toBe(id);
    expect(readSessionId(`parley-session=${id}`, false)).toBeNull();
  });

  test('is removed by one of the same name that has ended', () => {
    expect(endedCookie(false)).toMatch(/^__Host-parley-session=;.*Max-Age=0/);
    expect(readSessionId(endedCookie(false), false)).toBeNull();
  });

  test('is read among others, and nothing else is', () => {
    expect(readSessionId(`a=b; __Host-parley-session=${id}; c=d`, false)).toBe(id);
    expect(readSessionId(`x__Host-parley-session=${id}`, false)).toBeNull();
    for (const value of ['', 'short', `${id}a`, `${id.slice(1)}"`])
      expect(readSessionId(`__Host-parley-session=${value}`, false)).toBeNull();
    expect(readSessionId(undefined, false)).toBeNull();
  });
});
