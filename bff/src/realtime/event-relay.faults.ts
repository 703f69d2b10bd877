export const faults = [
  {
    breaks: 'A private chat is published to the whole organisation',
    find: 'data.memberIds.map((userId) => rooms.personInOrganisation(data.orgId, userId))',
    put: '[rooms.organisation(data.orgId)]',
  },
  {
    breaks: 'Members without the permission receive document events',
    find: "rooms.permitted(orgId ?? '', permission)",
    put: "rooms.organisation(orgId ?? '')",
  },
];
