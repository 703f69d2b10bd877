/** The one cookie: an opaque session id. `__Host-` ties it to this host, Secure and Path=/ (RFC 6265bis). */
export const cookieName = (isInsecureHttp: boolean): string =>
  isInsecureHttp ? 'parley-session' : '__Host-parley-session';
const maxAgeSeconds = 30 * 24 * 3_600;

export function sessionCookie(sessionId: string, isInsecureHttp: boolean): string {
  return `${cookieName(isInsecureHttp)}=${sessionId}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${isInsecureHttp ? '' : '; Secure'}`;
}

export function endedCookie(isInsecureHttp: boolean): string {
  return `${cookieName(isInsecureHttp)}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${isInsecureHttp ? '' : '; Secure'}`;
}

/** The session id in a Cookie header; null when absent or not of our making. */
export function readSessionId(header: string | undefined, isInsecureHttp: boolean): string | null {
  const wanted = `${cookieName(isInsecureHttp)}=`;
  const pair = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(wanted));
  const value = pair?.slice(wanted.length) ?? '';
  return /^[A-Za-z0-9_-]{43}$/.test(value) ? value : null;
}
