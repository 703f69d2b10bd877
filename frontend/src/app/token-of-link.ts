import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { readStored, writeStored } from '../lib/stored.ts';

/** It stands behind `#`, and leaves the address as soon as it is read: no history, no screenshot has it. */
export function useTokenOfLink(): string {
  const navigate = useNavigate();
  const { pathname, hash } = useLocation();
  const [token, setToken] = useState('');
  const given = hash.slice(1);
  if (given !== '' && given !== token) setToken(given);
  useEffect(() => {
    if (given !== '') void navigate(pathname, { replace: true });
  }, [given, navigate, pathname]);
  return given === '' ? token : given;
}

/** The same, kept in this tab under a name until it is forgotten: one comes back with it after signing in. */
export function useKeptToken(name: string): [token: string, forget: () => void] {
  const given = useTokenOfLink();
  const token = given || (readStored<string>('session', name) ?? '');
  useEffect(() => {
    if (given !== '') writeStored('session', name, given);
  }, [given, name]);
  return [token, () => writeStored('session', name, null)];
}
