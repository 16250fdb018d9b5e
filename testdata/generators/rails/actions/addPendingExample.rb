
  it "{{behaviour}}"
