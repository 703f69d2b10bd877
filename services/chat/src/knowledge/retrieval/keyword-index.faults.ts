export const faults = [
  {
    breaks: 'Anyone who knows the id of a passage reads it',
    find: '{ _id: chunkId, ...inConnections(scope.orgId, within), isHidden: false }',
    put: '{ _id: chunkId, isHidden: false }',
  },
];
