#!/bin/sh
apt-get install -y nginx
