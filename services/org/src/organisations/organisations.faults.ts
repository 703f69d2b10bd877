export const faults = [
  {
    breaks: "An organisation is returned to people who aren't in it",
    file: './organisations.service.ts',
    find: 'mine && this.seen(await this.members.organisation(ofMembers.in(orgId)), mine.role)',
    put: "this.seen(await this.members.organisation(ofMembers.in(orgId)), mine?.role ?? 'owner').catch(() => null)",
  },
];
