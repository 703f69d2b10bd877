export const faults = [
  {
    breaks: 'A socket joins any organisation that it names',
    find: 'await this.parts.principals.principal(session, auth.data.orgId)',
    put: '{ ...(session as never), organisation: { orgId: auth.data.orgId, permissions: [], rightsVersion: 1 } }',
  },
];
